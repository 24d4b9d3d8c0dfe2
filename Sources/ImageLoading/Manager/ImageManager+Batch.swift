extension ImageManager {
    /// Begins the loads that `body` asks for together, when it returns, so that their transfers
    /// start in the order of the wishes: with `lastInFirstOut` the newest first.
    ///
    /// Otherwise the first wishes have taken the free transfers before the last one is made, and a
    /// screen that is filled with newest-first in mind begins at its wrong end. Until the look-ups of
    /// the newer wishes are over, older ones that are ready wait for them, and so does what waited
    /// before; a load that turns out to need no transfer soon is not waited for (it is on the disk,
    /// another process fetches it, `modifyRequest` is asked about it). Memory hits are answered
    /// inside `body` as ever. Batches may be nested; those that overlap, on two threads, end together.
    ///
    /// Callable on any thread. `body` must not wait for its loads.
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        gathering.withLock { $0.open() }
        defer { begin(gathering.withLock { $0.close() }) }
        return try body()
    }

    /// What is expected is known before anything can arrive.
    ///
    /// The newest begins last: their look-ups meet a disk queue that takes the newest first.
    private func begin(_ runs: [LoadTask]) {
        let expected = runs.filter(\.key.mayNeedTransfer)
        for run in expected { run.hasQueuePosition = true }
        if !expected.isEmpty {
            downloader.reserve(expected.map { (sequenceNumber: $0.number, priority: $0.priority) })
        }
        for run in runs where !run.begin({ await self.carryOut(run) }) { releaseQueuePosition(run) }
    }

    /// Lets older transfers start: this run will not ask for one, or not soon.
    func releaseQueuePosition(_ run: LoadTask) {
        if run.hasQueuePosition { downloader.release(run.number) }
    }
}
