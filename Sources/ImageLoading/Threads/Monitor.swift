internal import Foundation

/// A value under a lock that threads can wait on; `Protected` with a condition.
final class Monitor<Value>: @unchecked Sendable {
    // Proof for @unchecked: `value` is private and only reached while `condition` is locked.
    private let condition = NSCondition()
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` alone with the value, then wakes one waiting thread, or all.
    func withLock<Result>(
        waking: Waking = .nobody,
        _ body: (inout Value) -> sending Result
    ) -> sending Result {
        condition.lock()
        defer { condition.unlock() }
        let result = body(&value)
        switch waking {
        case .nobody: break
        case .one: condition.signal()
        case .all: condition.broadcast()
        }
        return result
    }

    /// Blocks the calling thread until `body` has a result; it is asked again after each wake-up.
    func wait<Result>(for body: (inout Value) -> sending Result?) -> sending Result {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = body(&value) { return result }
            condition.wait()
        }
    }

    enum Waking {
        case nobody, one, all
    }
}
