import ImageLoadingTesting
import PropertyRuns
import Testing

@testable import ImageLoading

@Suite struct ImagePrefetcherTests {
    private let harness = ManagerHarness()

    private func url(_ number: Int) -> String { "http://a.example/\(number)" }

    private func requests(_ range: Range<Int>) -> [ImageRequest] {
        range.map { ImageRequest(url: url($0)) }
    }

    @Test func `prefetched images are in memory when the screen asks`() async {
        harness.answerEverything()
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        let record = PrefetchRecord()

        prefetcher.prefetch(requests(0..<5)) { record.add($0) }
        let summary = await record.completed()

        #expect(summary.loaded == 5)
        #expect(summary.bytesReceived == 5 * PatternDecoder.bytes(width: 2, height: 2).count)
        let shown = harness.load(url(4))
        #expect(shown.record.endCount == 1, "a memory hit is answered at once")
        #expect(harness.transport.starts.count == 5)
    }

    @Test func `prefetching to the disk takes no memory`() async throws {
        let bench = try CacheBench()
        let harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        harness.answerEverything()
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        let record = PrefetchRecord()

        prefetcher.prefetch(requests(0..<5), options: PrefetchOptions(destination: .disk)) {
            record.add($0)
        }
        let summary = await record.completed()

        #expect(summary.loaded == 5)
        #expect(harness.manager.statistics.memoryCache.entryCount == 0)
        #expect(try await harness.load(url(4)).result().get().source == .disk)
    }

    // F17: recursion over synchronous hits overflowed the stack.
    @Test func `100,000 memory hits in one list need no more stack than one hit`() async throws {
        harness.answerEverything()
        let request = ImageRequest(url: url(1))
        _ = try await harness.manager.response(for: request)
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        let record = PrefetchRecord()
        let count = PropertyRuns.count(100_000)

        prefetcher.prefetch(Array(repeating: request, count: count)) { record.add($0) }

        let summary = await record.completed()
        #expect(summary.loaded == count)
        #expect(harness.transport.starts.count == 1)
    }

    // F17: the stack must not grow if the listener itself starts the next list.
    @Test func `lists started inside a listener do not nest`() async {
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        let record = PrefetchRecord()
        @Sendable func next(_ left: Int) {
            prefetcher.prefetch([]) { event in
                if left == 0 { record.add(event) } else { next(left - 1) }
            }
        }

        next(20_000)

        #expect(await record.completed() == PrefetchSummary())
    }

    @Test func `a list that becomes urgent overtakes loads that wait for a transfer`() async {
        let prefetcher = ImagePrefetcher(manager: harness.manager, maximumConcurrentLoads: 9)
        let limit = DownloaderConfiguration().maximumConcurrentTransfers
        prefetcher.prefetch(requests(0..<limit))
        await harness.transport.waitForStarts(limit)
        prefetcher.prefetch(requests(100..<101))
        await harness.untilQueued(1)
        let token = prefetcher.prefetch(requests(200..<201))
        await harness.untilQueued(2)

        token.priority = .high
        harness.transport.respond(
            to: url(0),
            chunks: [PatternDecoder.bytes(width: 1, height: 1)]
        )
        await harness.transport.waitForStarts(limit + 1)

        #expect(token.priority == .high)
        #expect(harness.transport.starts.last?.url == url(200))
    }

    @Test func `a token without its prefetcher has no effect`() {
        var prefetcher: ImagePrefetcher? = ImagePrefetcher(manager: harness.manager)
        let token = prefetcher?.prefetch(requests(0..<1))

        prefetcher = nil
        token?.priority = .high
        token?.cancel()

        #expect(token?.priority == .low)
    }

    // F16: cancelling the prefetcher's operation killed the screen's load of the same URL.
    @Test func `cancelling a prefetch does not affect the screen's load of the same URL`()
        async throws
    {
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        let token = prefetcher.prefetch(requests(0..<1))
        await harness.transport.waitForStarts(1)
        let shown = harness.load(url(0))

        token.cancel()
        harness.transport.respond(
            to: url(0),
            chunks: [PatternDecoder.bytes(width: 1, height: 1)]
        )

        _ = try await shown.result().get()
        #expect(harness.transport.record.cancelledURLs.isEmpty)
        #expect(harness.transport.starts.count == 1)
    }

    // F16, the other way round.
    @Test func `if the screen's load ends, the prefetch of the same URL continues`() async {
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        let record = PrefetchRecord()
        let shown = harness.load(url(0))
        prefetcher.prefetch(requests(0..<1)) { record.add($0) }
        await harness.transport.waitForStarts(1)

        shown.operation.cancel()
        harness.transport.respond(
            to: url(0),
            chunks: [PatternDecoder.bytes(width: 1, height: 1)]
        )

        #expect(await record.completed().loaded == 1)
    }

    // F16: the downloader's width is unchanged, and the screen gets the free slots.
    @Test func `prefetching leaves slots free for the screen`() async {
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        prefetcher.prefetch(requests(0..<50))
        await harness.transport.waitForStarts(3)

        let shown = (100..<103).map { harness.load(url($0)) }
        await harness.transport.waitForStarts(6)

        #expect(harness.transport.starts.suffix(3).map(\.url).sorted() == (100..<103).map(url))
        #expect(harness.manager.engine.downloader.maximumConcurrentTransfers == 6)
        #expect(shown.count == 3)
    }

    // F24: a joining load raises the priority.
    @Test func `a waiting prefetch precedes others when the screen joins it`() async {
        harness.manager.engine.downloader.isSuspended = true
        let prefetcher = ImagePrefetcher(manager: harness.manager, maximumConcurrentLoads: 9)
        prefetcher.prefetch(requests(0..<9))
        await harness.untilQueued(9)

        let shown = harness.load(url(8))
        harness.manager.engine.downloader.isSuspended = false
        await harness.transport.waitForStarts(6)

        #expect(harness.transport.starts.first?.url == url(8))
        #expect(shown.operation.isFinished == false)
        #expect(harness.manager.statistics.coalesced == 1)
    }

    // PF6
    @Test func `a cancelled list stops its transfers and completes`() async {
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        let record = PrefetchRecord()
        let token = prefetcher.prefetch(requests(0..<9)) { record.add($0) }
        await harness.transport.waitForStarts(3)

        token.cancel()

        #expect(await record.completed().cancelled == 9)
        await harness.transport.waitForCancels(3)
        #expect(harness.manager.isRunning == false)
        #expect(harness.transport.starts.count == 3)
    }

    @Test func `a load cancelled elsewhere is one outcome, and the list continues`() async {
        let prefetcher = ImagePrefetcher(manager: harness.manager, maximumConcurrentLoads: 1)
        let record = PrefetchRecord()
        prefetcher.prefetch(requests(0..<2)) { record.add($0) }
        await harness.transport.waitForStarts(1)

        harness.answerEverything()
        harness.manager.cancelAll()

        let summary = await record.completed()
        #expect(summary.cancelled == 1)
        #expect(summary.loaded == 1)
    }

    @Test func `nothing is started while it is not permitted`() async {
        let prefetcher = ImagePrefetcher(manager: harness.manager, isAllowed: { false })
        let record = PrefetchRecord()

        prefetcher.prefetch(requests(0..<9)) { record.add($0) }

        #expect(await record.completed().skipped == 9)
        #expect(record.outcomes.allSatisfy { $0 == .skipped(.notAllowed) })
        #expect(harness.manager.statistics.started == 0)
    }

    @Test func `releasing the prefetcher cancels and completes its lists`() async {
        let record = PrefetchRecord()
        do {
            let prefetcher = ImagePrefetcher(manager: harness.manager)
            prefetcher.prefetch(requests(0..<9)) { record.add($0) }
            await harness.transport.waitForStarts(3)
        }

        #expect(await record.completed().cancelled == 9)
        await harness.transport.waitForCancels(3)
    }

    // PF4: exactly one end, also when lists end on many threads at once.
    @Test func `lists that are given and cancelled on many threads end once each`() async {
        harness.answerEverything()
        let prefetcher = ImagePrefetcher(manager: harness.manager)
        let records = (0..<40).map { _ in PrefetchRecord() }
        await withTaskGroup(of: Void.self) { group in
            for (number, record) in records.enumerated() {
                group.addTask {
                    let token = prefetcher.prefetch(requests(number..<number + 20)) {
                        record.add($0)
                    }
                    if number.isMultiple(of: 3) { token.cancel() }
                }
            }
        }

        for record in records {
            #expect(await record.completed().finished == 20)
            #expect(record.endCount == 1)
            #expect(record.outcomes.count == 20)
        }
        #expect(prefetcher.statistics.running == 0)
        #expect(prefetcher.statistics.ended.finished == 800)
    }
}
