import PropertyRuns
import Testing

/// A hundred thousand random sequences of set, cancel, clear, join, priority, failure and refresh.
struct LoadPropertyTests {
    private static let sequencesEach = PropertyRuns.count(400)

    // F1, F2, F4, F5, K7, M21, M33, open points a, l and n
    @Test(arguments: 0..<100)
    func `each load ends once, no cell shows a stale image, nothing is left at rest`(
        seed: UInt64
    ) {
        let loads = RandomLoads(seed: seed)

        for number in 0..<Self.sequencesEach {
            guard let fault = loads.runSequence() else { continue }
            Issue.record("seed \(seed), sequence \(number): \(fault)")
            return
        }
    }
}
