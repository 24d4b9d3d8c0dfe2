/// The results of recently loaded URLs, which are reused if a URL occurs again.
///
/// The number of results is limited. At least the last `capacity` results that were stored or
/// looked up are kept. URLs are identified by fingerprints.
struct KnownOutcomes<Outcome: Sendable>: Sendable {
    private let capacity: Int
    private var young: [UInt64: Outcome] = [:]
    private var old: [UInt64: Outcome] = [:]

    init(capacity: Int = 4_096) {
        self.capacity = max(1, capacity)
    }

    mutating func outcome(of fingerprint: UInt64) -> Outcome? {
        if let outcome = young[fingerprint] { return outcome }
        guard let outcome = old.removeValue(forKey: fingerprint) else { return nil }
        note(outcome, of: fingerprint)
        return outcome
    }

    mutating func note(_ outcome: Outcome, of fingerprint: UInt64) {
        if young.count >= capacity { (old, young) = (young, [:]) }
        young[fingerprint] = outcome
    }
}

/// A queue that returns the results of operations in the order in which the operations started.
///
/// The operations may end in any order. Results are held until all earlier operations have ended,
/// so the caller must limit the number of operations.
struct EndOrder<Element: Sendable>: Sendable {
    private var firstNumber = 0
    private var waiting: [Int: Element] = [:]

    /// Adds the result of an operation, and returns the results that are ready to use, in order.
    ///
    /// The numbers of the operations start at 0 and have no gaps.
    mutating func end(_ number: Int, _ element: Element) -> [Element] {
        waiting[number] = element
        var due: [Element] = []
        while let next = waiting.removeValue(forKey: firstNumber) {
            due.append(next)
            firstNumber += 1
        }
        return due
    }
}
