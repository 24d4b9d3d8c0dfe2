/// What became of the addresses that were loaded last: one that comes again is not loaded again.
///
/// Bounded: the last `capacity` at least that were noted or found are known. An address is
/// known by its fingerprint.
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

/// Brings what ends in any order back into the order in which it began.
///
/// What waits for its turn is kept; whoever begins things bounds how many.
struct EndOrder<Element: Sendable>: Sendable {
    private var firstNumber = 0
    private var waiting: [Int: Element] = [:]

    /// Takes what ended; returns what is due, in order.
    ///
    /// Numbers are given from 0 on without a gap.
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
