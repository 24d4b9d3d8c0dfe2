import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

private let url = "http://a.example/1.jpg"

/// The downloader with a clock that the test advances.
@Suite struct ImageDownloaderClockTests {
    let transport = ScriptedTransport()
    let manual = ManualClock()
    let lost = ImageLoadingError.transfer(.connectionLost, "lost")

    @Test func `a temporary failure is retried after its delay`() async throws {
        let downloader = ImageDownloader(transport: transport, clock: manual.clock)

        async let body = downloader.body(for: DownloadRequest(url: url))
        await transport.waitForStarts(1)
        transport.fail(url, with: lost)
        #expect(transport.starts.count == 1)
        manual.advance(by: .milliseconds(500))
        #expect(transport.starts.count == 2)
        transport.respond(to: url, chunks: [[1]])

        #expect(try await body.bytes == [1])
        #expect(downloader.statistics.retries == 1)
    }

    @Test func `while idle no alarm is set`() async throws {
        let downloader = ImageDownloader(transport: transport, clock: manual.clock)
        transport.answerStarts { _ in .body([1]) }

        _ = try await downloader.body(for: DownloadRequest(url: url))

        #expect(manual.alarmCount == 0)
    }

    // O14
    @Test func `cancelling during a pause ends immediately and sends nothing more`() async {
        let downloader = ImageDownloader(transport: transport, clock: manual.clock)
        let task = Task { try await downloader.body(for: DownloadRequest(url: url)) }
        await transport.waitForStarts(1)
        transport.fail(url, with: lost)

        task.cancel()

        await #expect(throws: ImageLoadingError.cancelled) { try await task.value }
        manual.advance(by: .seconds(60))
        #expect(transport.starts.count == 1)
    }

    /// A host that fails for a minute is asked once for each step of the pause.
    @Test func `a failing host gets one request per pause, and recovers after one probe`()
        async
    {
        var configuration = DownloaderConfiguration()
        configuration.maximumAttempts = 1
        let downloader = ImageDownloader(
            configuration: configuration,
            transport: transport,
            clock: manual.clock
        )
        let (manual, lost, asked) = (manual, lost, Protected<[Int]>([]))
        transport.answerStarts { _ in
            asked.withLock { $0.append(Int(manual.uptime.components.seconds)) }
            return manual.uptime < .seconds(60) ? .failure(lost) : .body([1])
        }

        for second in 0..<80 {
            let request = DownloadRequest(url: "http://a.example/\(second)")
            _ = try? await downloader.body(for: request)
            manual.advance(by: .seconds(1))
        }

        // Five failures open the breaker; pauses of 10 s, 20 s and 40 s follow.
        #expect(asked.withLock { $0 } == [0, 1, 2, 3, 4, 14, 34, 74, 75, 76, 77, 78, 79])
        #expect(downloader.unavailableHosts.isEmpty)
    }

    @Test func `an unavailable host is named, counted and can be forgotten`() async {
        let downloader = ImageDownloader(transport: transport, clock: manual.clock)
        let gone = ImageLoadingError.transfer(.hostNotFound, "no host")
        transport.answerStarts { _ in .failure(gone) }
        for _ in 0..<5 { _ = try? await downloader.body(for: DownloadRequest(url: url)) }

        #expect(downloader.unavailableHosts == ["a.example"])
        #expect(downloader.statistics.unavailableHosts == 1)
        downloader.clearUnavailableHosts()
        _ = try? await downloader.body(for: DownloadRequest(url: url))

        #expect(transport.starts.count == 6)
        #expect(downloader.statistics.unavailableHosts == 0)
    }

    // F26
    @Test func `a partial body is delivered outside of the lock`() async {
        let record = LeftoverRecord()
        let downloader = ImageDownloader(
            transport: transport,
            clock: manual.clock,
            detachedDownloads: record.detachedDownloads
        )
        record.downloader.withLock { $0 = downloader }
        var request = DownloadRequest(url: url)
        let broken = Task { [request] in try await downloader.body(for: request) }
        await transport.waitForStarts(1)
        sendBeginning()
        broken.cancel()
        _ = await broken.result

        request.continuesInBackground = true
        let lasting = Task { [request] in try await downloader.body(for: request) }
        await transport.waitForStarts(2)
        lasting.cancel()
        _ = await lasting.result
        transport.respond(to: url, chunks: [[1, 2]])

        #expect(record.partialByteCounts.withLock { $0 } == [20_000])
        #expect(record.bodies.withLock { $0 } == [[1, 2]])
        record.downloader.withLock { $0 = nil }
    }

    @Test func `events are reported to the tracer in order, without secrets`() async throws {
        let told = Protected<[TraceEvent]>([])
        let downloader = ImageDownloader(
            configuration: DownloaderConfiguration(),
            transport: transport,
            clock: manual.clock,
            detachedDownloads: DetachedDownloads(),
            tracer: Tracer(clock: manual.clock) { event in told.withLock { $0.append(event) } }
        )
        transport.answerStarts { _ in .body([1, 2]) }

        _ = try await downloader.body(for: DownloadRequest(url: url + "?token=secret"))

        let events = told.withLock { $0 }
        #expect(
            events.map(\.kind) == [
                .queued(.normal), .started(resumedFrom: 0), .firstByte(status: 200, expected: 2),
                .progress(LoadProgress(received: 0, expected: 2)),
                .progress(LoadProgress(received: 2, expected: 2)),
            ]
        )
        #expect(Set(events.map(\.subject)) == [url])
    }

    private func sendBeginning() {
        let head = TransferHead(
            status: 200,
            expectedByteCount: 90_000,
            headers: ["etag": "\"x\""]
        )
        transport.send(.head(head), to: url)
        transport.send(.chunk([UInt8](repeating: 1, count: 20_000)), to: url)
    }
}

/// Records the partial bodies, and calls the downloader, which would deadlock if its lock were
/// held.
private final class LeftoverRecord: Sendable {
    let downloader = Protected<ImageDownloader?>(nil)
    let partialByteCounts = Protected<[Int]>([])
    let bodies = Protected<[[UInt8]]>([])

    var detachedDownloads: DetachedDownloads {
        DetachedDownloads(
            keepPartial: { _, partial in
                _ = self.downloader.withLock { $0 }?.statistics
                self.partialByteCounts.withLock { $0.append(partial.bytes.count) }
            },
            keepBody: { _, body in self.bodies.withLock { $0.append(body.bytes) } }
        )
    }
}
