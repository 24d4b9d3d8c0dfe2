/// The results of recently loaded URLs, so that a repeated URL is not loaded again.
///
/// The size is limited; at least the last `capacity` results that were stored or looked up are
/// kept. URLs are identified by their fingerprints.
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

/// Restores the original order of operations that end in any order.
///
/// Results that wait for their turn are stored. The caller must limit their number.
struct EndOrder<Element: Sendable>: Sendable {
    private var firstNumber = 0
    private var waiting: [Int: Element] = [:]

    /// Adds the result of an operation and returns the results that are due, in order.
    ///
    /// The numbers start at 0 and have no gaps.
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
