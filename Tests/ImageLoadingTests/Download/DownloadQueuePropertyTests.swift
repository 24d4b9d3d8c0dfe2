import Testing

@testable import ImageLoading

/// Random sequences of everything that can happen to a queue.
@Suite struct DownloadQueuePropertyTests {
    // F1, F2, F4, F24, F26, O2, O13
    @Test(arguments: 0..<10)
    func `random interleavings end every listener once and leave nothing behind`(batch: Int) {
        for number in 0..<PropertyRuns.count(400) {
            let seed = UInt64(batch * 400 + number)
            var run = RandomDownloads(seed: seed)
            if let fault = run.fault() {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
    }

    /// Were one of these never met, the sequences above would say nothing about it.
    @Test func `the random interleavings meet retries, resumption, early stops and open breakers`()
    {
        var met = DownloaderStatistics()
        for seed in 0..<500 {
            var run = RandomDownloads(seed: UInt64(seed))
            _ = run.fault()
            let statistics = run.queue.statistics
            met.retries += statistics.retries
            met.transfersResumed += statistics.transfersResumed
            met.transfersDetached += statistics.transfersDetached
            met.transfersCancelled += statistics.transfersCancelled
            met.transfersStoppedEarly += statistics.transfersStoppedEarly
            met.unavailableHosts += run.queue.traced.count { event in
                event.kind == .hostAvailability(isAvailable: false)
            }
        }

        #expect(met.retries > 100)
        #expect(met.transfersResumed > 100)
        #expect(met.transfersDetached > 50)
        #expect(met.transfersCancelled > 100)
        #expect(met.transfersStoppedEarly > 50)
        #expect(met.unavailableHosts > 100)
    }

    // F2: a listener comes while the last one leaves, or while the transfer starts
    @Test func `of 10,000 random starts and cancels every listener who stays completes`() {
        for seed in 0..<PropertyRuns.count(10_000) {
            var run = RandomStarts(seed: UInt64(seed))
            if let fault = run.fault() {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
    }
}
