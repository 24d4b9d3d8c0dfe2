import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// Real threads that use everything at the same time.
@Suite struct ImageDownloaderRaceTests {
    // F2: join, leave, start, cancel and answers race on few URLs
    // D23
    @Test func `remaining callers get their body, even if others leave meanwhile`() async {
        let transport = ScriptedTransport()
        let downloader = ImageDownloader(transport: transport)
        let isOver = Protected(false)

        async let answering: Void = answerAll(transport, until: isOver)
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for number in 0..<2_000 {
                group.addTask { await run(number, downloader) }
            }
            return await group.reduce(into: [Outcome: Int]()) { $0[$1, default: 0] += 1 }
        }
        isOver.withLock { $0 = true }
        await answering

        #expect(outcomes[.wrong] == nil)
        #expect(outcomes[.served, default: 0] + outcomes[.left, default: 0] == 2_000)
        await expectRest(of: downloader, transport)
        #expect(downloader.statistics.transfersFailed == 0)
    }

    // F2, with pauses between attempts: every other transfer of a URL fails
    @Test func `remaining callers get their body although every other transfer breaks`() async {
        let transport = ScriptedTransport()
        let manual = ManualClock()
        let downloader = ImageDownloader(transport: transport, clock: manual.clock)
        let isOver = Protected(false)

        async let answering: Void = failAndAnswer(transport, manual, until: isOver)
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for number in 0..<1_000 {
                group.addTask { await run(number, downloader) }
            }
            return await group.reduce(into: [Outcome: Int]()) { $0[$1, default: 0] += 1 }
        }
        isOver.withLock { $0 = true }
        await answering

        #expect(outcomes[.wrong] == nil)
        await expectRest(of: downloader, transport)
    }

    /// Checks the counters after all transfers have ended.
    ///
    /// A transfer is counted when it is decided, but another thread may not have told the transport
    /// yet.
    private func expectRest(of downloader: ImageDownloader, _ transport: ScriptedTransport) async {
        await downloader.settle()
        let statistics = downloader.statistics
        #expect(statistics.live == 0 && statistics.queued == 0)
        #expect(
            statistics.transfersStarted
                == statistics.transfersFinished + statistics.transfersFailed
                + statistics.transfersCancelled
        )
        #expect(transport.starts.count == statistics.transfersStarted)
    }
}

private enum Outcome: Hashable {
    case served
    case left
    case wrong
}

/// Runs one caller; callers with odd numbers leave, each a little later than the one before, so
/// that they leave at every point in a transfer's life.
private func run(_ number: Int, _ downloader: ImageDownloader) async -> Outcome {
    let leaves = !number.isMultiple(of: 2)
    let task = Task {
        try await downloader.body(for: DownloadRequest(url: "http://a/\(number % 7)"))
    }
    if leaves {
        for _ in 0..<number % 11 { await Task.yield() }
        task.cancel()
    }
    switch await task.result {
    case .success(let body): return body.bytes == [1, 2, 3] ? .served : .wrong
    case .failure(let error):
        return leaves && error as? ImageLoadingError == .cancelled ? .left : .wrong
    }
}

private func answerAll(_ transport: ScriptedTransport, until isOver: Protected<Bool>) async {
    while !isOver.withLock({ $0 }) {
        for url in transport.runningURLs { transport.respond(to: url, chunks: [[1, 2], [3]]) }
        await Task.yield()
    }
}

/// Fails every other transfer of each URL, but only after a head, so that the host is not
/// considered unavailable.
private func failAndAnswer(
    _ transport: ScriptedTransport,
    _ clock: ManualClock,
    until isOver: Protected<Bool>
) async {
    var fails: [String: Bool] = [:]
    let lost = ImageLoadingError.transfer(.connectionLost, "lost")
    while !isOver.withLock({ $0 }) {
        for url in transport.runningURLs {
            fails[url, default: false].toggle()
            if fails[url] ?? false {
                transport.send(.head(TransferHead(status: 200, expectedByteCount: 3)), to: url)
                transport.fail(url, with: lost)
            } else {
                transport.respond(to: url, chunks: [[1, 2], [3]])
            }
        }
        clock.advance(by: .milliseconds(100))
        await Task.yield()
    }
}
