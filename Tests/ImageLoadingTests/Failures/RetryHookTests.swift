import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

private let url = "http://a.example/1.jpg"

/// `LoadingHooks.retryPause` instead of the table.
@Suite struct RetryHookTests {
    let transport = ScriptedTransport()
    let manual = ManualClock()
    let attempts = Protected<[FailedAttempt]>([])

    private func downloader(
        _ configuration: DownloaderConfiguration = DownloaderConfiguration(),
        retryPause: @escaping @Sendable (FailedAttempt) -> Duration?
    ) -> ImageDownloader {
        let attempts = attempts
        return ImageDownloader(
            configuration: configuration,
            transport: transport,
            clock: manual.clock,
            detachedDownloads: DetachedDownloads(),
            tracer: .silent,
            retryPause: { attempt in
                attempts.withLock { $0.append(attempt) }
                return retryPause(attempt)
            }
        )
    }

    @Test func `a hook may retry failures that are final by the table, after its own pause`()
        async throws
    {
        let downloader = downloader { _ in .seconds(42) }

        async let body = downloader.body(for: DownloadRequest(url: url))
        await transport.waitForStarts(1)
        transport.fail(url, with: .transfer(.hostNotFound))
        manual.advance(by: .milliseconds(41_999))
        #expect(transport.starts.count == 1)
        #expect(downloader.statistics.queued == 1)
        manual.advance(by: .milliseconds(1))
        transport.respond(to: url, chunks: [[1]])

        #expect(try await body.bytes == [1])
        #expect(attempts.withLock { $0 }.map(\.usualPause) == [nil])
    }

    @Test func `a hook may give up failures that the table would retry`() async {
        let downloader = downloader { _ in nil }
        let lost = ImageLoadingError.transfer(.connectionLost)
        transport.answerStarts { _ in .failure(lost) }

        await #expect(throws: lost) { try await downloader.body(for: DownloadRequest(url: url)) }

        #expect(transport.starts.count == 1)
        #expect(attempts.withLock { $0.first?.usualPause } != nil)
        #expect(downloader.statistics.queued == 0)
    }

    @Test func `a hook receives the attempt's number, error and duration`()
        async throws
    {
        let downloader = downloader { _ in .seconds(1) }

        async let body = downloader.body(for: DownloadRequest(url: url))
        for number in 1...3 {
            await transport.waitForStarts(number)
            manual.advance(by: .seconds(2))
            transport.fail(url, with: .transfer(.timedOut))
            manual.advance(by: .seconds(1))
        }
        transport.respond(to: url, chunks: [[1]])

        _ = try await body
        let heard = attempts.withLock { $0 }
        #expect(heard.map(\.number) == [1, 2, 3])
        #expect(heard.map(\.elapsed) == [.seconds(2), .seconds(5), .seconds(8)])
        #expect(heard.allSatisfy { $0.error == .transfer(.timedOut) && $0.url == url })
    }

    @Test func `the maximum number of attempts and paused hosts apply to a hook too`() async {
        var configuration = DownloaderConfiguration()
        configuration.maximumAttempts = 3
        let downloader = downloader(configuration) { _ in .zero }
        transport.answerStarts { _ in .failure(.transfer(.connectionLost)) }

        let isDone = Protected(false)
        let request = DownloadRequest(url: url)
        let loads = Task {
            for _ in 0..<2 { _ = try? await downloader.body(for: request) }
            isDone.withLock { $0 = true }
        }
        // Even a pause of zero length sets an alarm, which fires when the clock is advanced.
        while !isDone.withLock({ $0 }) {
            manual.advance(by: .zero)
            await Task.yield()
        }
        await loads.value

        // Three for the first load and two for the second: five consecutive failures open the
        // breaker.
        #expect(transport.starts.count == 5)
        #expect(attempts.withLock { $0 }.map(\.number) == [1, 2, 1])
        #expect(downloader.unavailableHosts == ["a.example"])
    }

    @Test func `a load that is cancelled while its hook decides ends once`() async {
        let task = Protected<Task<DownloadedBody, any Error>?>(nil)
        let downloader = downloader { _ in
            task.withLock { $0 }?.cancel()
            return .zero
        }
        let running = Task { try await downloader.body(for: DownloadRequest(url: url)) }
        task.withLock { $0 = running }
        await transport.waitForStarts(1)

        transport.fail(url, with: .transfer(.connectionLost))

        await #expect(throws: ImageLoadingError.cancelled) { try await running.value }
        #expect(transport.starts.count == 1)
    }

    @Test func `a manager asks its hook`() async throws {
        let harness = ManagerHarness(configure: {
            $0.downloader.maximumAttempts = 10
            $0.hooks.retryPause = { $0.number < 3 ? .seconds(7) : nil }
        })
        let load = harness.load(url)
        for number in 1...3 {
            await harness.transport.waitForStarts(number)
            harness.transport.fail(url, with: .transfer(.hostNotFound))
            harness.clock.advance(by: .seconds(7))
        }

        #expect(await load.result() == .failure(.transfer(.hostNotFound)))
        #expect(harness.transport.starts.count == 3)
    }
}
