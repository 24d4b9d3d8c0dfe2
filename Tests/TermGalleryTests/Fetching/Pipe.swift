import Glibc
import ImageLoading

/// A pipe whose reading end is emptied by a thread, so that writers never wait.
///
/// It stays open: a number that is closed while someone still writes to it may by then be another
/// test's descriptor.
final class Pipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// What `body` writes into the writing end.
    func text(writtenBy body: (Int32) async -> Void) async -> String {
        let readEnd = readEnd
        async let bytes = blocking { Self.everything(from: readEnd) }
        await body(writeEnd)
        // A NUL ends it: closing would race with the descriptor's other users.
        write(writeEnd, [0], 1)
        return String(decoding: await bytes, as: UTF8.self)
    }

    private static func everything(from descriptor: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while all.last != 0 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer.prefix(count)
        }
        return all.dropLast()
    }
}

/// Runs blocking work away from Swift's pool.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let pool = WorkerPool(name: "blocking", threadCount: 1)
        pool.submit(priority: .high) { continuation.resume(returning: work()) }
    }
}
