import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The savings from finishing transfers, tested with libcurl and a real socket.
@Suite struct DetachedConnectionTests {
    let whole = [UInt8](repeating: 7, count: 10_000)
    let headGate = Turnstile()
    let restGate = Turnstile()
    let manual = ManualClock()

    @Test(arguments: [(detachedLimit: 2, connections: 1), (detachedLimit: 0, connections: 10)])
    func `detaching ten cancelled loads keeps one connection; otherwise ten are closed`(
        detachedLimit: Int,
        connections: Int
    ) async {
        let (server, kept) = (LoopbackServer(["/1": steps(detachedLimit > 0)]), Gathering())
        let downloader = downloader(detachedLimit, kept)

        for number in 1...10 {
            await leaveAtNineTenths(downloader, server, number)
            if detachedLimit > 0 {
                restGate.open()
                await kept.wait(for: number)
            } else {
                await server.log.wait { $0.closedByClientCount >= number }
            }
        }

        #expect(server.log.entries.acceptedCount == connections)
        #expect(server.log.entries.requests.count == 10)
        #expect(downloader.statistics.transfersDetached == (detachedLimit > 0 ? 10 : 0))
        #expect(downloader.statistics.bytesSaved == (detachedLimit > 0 ? 0 : 10_000))
    }

    private func steps(_ sendsRest: Bool) -> [LoopbackServer.Step] {
        [.hold(headGate)] + LoopbackServer.Step.beginning(Array(whole[..<9_000]), of: 10_000)
            + (sendsRest ? [.hold(restGate), .send(Array(whole[9_000...]))] : [.awaitClose])
    }

    private func downloader(_ detachedLimit: Int, _ kept: Gathering) -> ImageDownloader {
        var configuration = DownloaderConfiguration()
        configuration.maximumDetachedTransfers = detachedLimit
        return ImageDownloader(
            configuration: configuration,
            transport: CurlTransport(configuration: .patient),
            clock: manual.clock,
            detachedDownloads: DetachedDownloads(keepBody: { [whole] _, body in
                if body.bytes == whole { kept.note() }
            })
        )
    }

    /// Leaves a download after nine tenths of its body.
    ///
    /// The head arrives after 100 ms, and nine tenths of the body take another 100 ms. The last
    /// tenth would take a ninth of that time, and a new connection a round trip of 100 ms.
    private func leaveAtNineTenths(
        _ downloader: ImageDownloader,
        _ server: LoopbackServer,
        _ number: Int
    ) async {
        let isNear = Gathering()
        let task = Task {
            try await downloader.body(for: DownloadRequest(url: server.url("/1"))) { event in
                if event == .progress(LoadProgress(received: 9_000, expected: 10_000)) {
                    isNear.note()
                }
            }
        }
        await server.log.wait { $0.requests.count >= number }
        manual.advance(by: .milliseconds(100))
        headGate.open()
        await isNear.wait(for: 1)
        manual.advance(by: .milliseconds(100))
        task.cancel()
        _ = await task.result
    }
}
