import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The time between a transient failure and the next attempt.
@Suite struct DownloadQueueRetryTests {
    let url = "http://a/1"
    var queue = DownloadQueueHarness()
    let lost = ImageLoadingError.transfer(.connectionLost, "lost")

    @Test mutating func `a lost connection is retried after a pause, and the body arrives`() {
        let listener = queue.enqueue(url)

        queue.send(.finished(lost), to: url)
        #expect(queue.running.isEmpty && queue.results.isEmpty)
        #expect(queue.statistics.queued == 1)
        queue.advance(by: .milliseconds(500))
        queue.respond(to: url, body: [7])

        #expect(try! queue.result(of: listener)?.get().bytes == [7])
        #expect(queue.startedURLs == [url, url])
        #expect(queue.statistics.retries == 1)
        #expect(queue.statistics.transfersFailed == 1)
    }

    @Test mutating func `nothing is sent before the pause is over`() {
        _ = queue.enqueue(url)
        queue.send(.finished(lost), to: url)
        let wake = queue.nextWake ?? .zero

        queue.advance(by: wake - .nanoseconds(1))
        #expect(queue.running.isEmpty)
        queue.advance(by: .nanoseconds(1))

        #expect(queue.runningURLs == [url])
    }

    @Test mutating func `after the last attempt the error itself is final`() {
        let listener = queue.enqueue(url)

        for _ in 0..<3 {
            queue.send(.finished(lost), to: url)
            queue.advance(by: .seconds(5))
        }

        #expect(queue.error(of: listener) == lost)
        #expect(queue.startedURLs.count == 3)
        #expect(queue.statistics.queued == 0)
    }

    @Test mutating func `a download that waits to retry gives its slot to others`() {
        queue.setWidth(1)
        _ = queue.enqueue(url)
        _ = queue.enqueue("http://a/2")

        queue.send(.finished(lost), to: url)

        #expect(queue.runningURLs == ["http://a/2"])
    }

    // F1
    @Test mutating func `listeners can join and leave a download that waits to retry`() {
        let first = queue.enqueue(url)
        queue.send(.finished(lost), to: url)

        let second = queue.enqueue(url)
        queue.leave(first)
        queue.advance(by: .seconds(1))
        queue.respond(to: url)

        #expect(queue.error(of: first) == .cancelled)
        #expect(try! queue.result(of: second)?.get().bytes == [1, 2, 3])
        #expect(queue.events[second]?.first == .queued)
        #expect(queue.startedURLs.count == 2)
    }

    @Test mutating func `the last listener to leave a waiting download ends it without a request`()
    {
        let listener = queue.enqueue(url)
        queue.send(.finished(lost), to: url)

        queue.leave(listener)
        queue.advance(by: .seconds(10))

        #expect(queue.startedURLs.count == 1)
        #expect(queue.statistics.queued == 0)
        #expect(queue.strayCancelCount == 0)
    }

    // F24
    @Test mutating func `a priority that changes during the pause counts after it`() {
        queue.setWidth(1)
        let listener = queue.enqueue(url)
        queue.send(.finished(lost), to: url)
        for number in 2...4 { _ = queue.enqueue("http://a/\(number)") }

        queue.setPriority(.high, of: listener)
        queue.advance(by: .seconds(1))
        queue.respond(to: "http://a/2")

        #expect(queue.runningURLs == [url])
    }

    // O2
    @Test mutating func `between attempts the listener receives the waiting state again`() {
        let listener = queue.enqueue(url)
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 4)), to: url)
        queue.send(.chunk([1, 2]), to: url)

        queue.send(.finished(lost), to: url)
        queue.advance(by: .seconds(1))

        #expect(
            queue.events[listener]?.suffix(3) == [
                .progress(LoadProgress(received: 2, expected: 4)),
                .queued,
                .progress(LoadProgress(received: 0, expected: nil)),
            ]
        )
    }

    @Test mutating func `late events of the failed transfer are ignored`() {
        let listener = queue.enqueue(url)
        let id = queue.running.keys.first ?? .unique()
        queue.send(.finished(lost), to: id)
        queue.advance(by: .seconds(1))

        queue.send(.chunk([9]), to: id)
        queue.send(.finished(nil), to: id)
        queue.respond(to: url)

        #expect(try! queue.result(of: listener)?.get().bytes == [1, 2, 3])
        #expect(Set(queue.queue.attempts.keys).isEmpty)
    }

    @Test mutating func `the error carries a Retry-After that is too long to wait for`() {
        let listener = queue.enqueue(url)
        let headers = ["retry-after": "30"]

        queue.send(
            .head(TransferHead(status: 503, expectedByteCount: 0, headers: headers)),
            to: url
        )
        queue.send(.finished(nil), to: url)

        #expect(queue.error(of: listener)?.retryAfter == .seconds(30))
        #expect(queue.startedURLs.count == 1)
    }

    @Test mutating func `a short Retry-After is waited for`() {
        _ = queue.enqueue(url)
        let headers = ["retry-after": "3"]

        queue.send(
            .head(TransferHead(status: 429, expectedByteCount: 0, headers: headers)),
            to: url
        )
        queue.send(.finished(nil), to: url)

        #expect(queue.nextWake == .seconds(3))
    }

    @Test mutating func `an attempt is announced with its number and pause`() {
        _ = queue.enqueue(url)
        queue.send(.finished(lost), to: url)
        let pause = queue.nextWake ?? .zero
        queue.advance(by: .seconds(1))

        #expect(
            queue.trace(of: url) == [
                .queued(.normal), .started(resumedFrom: 0), .retried(attempt: 1, pause: pause),
                .started(resumedFrom: 0),
            ]
        )
    }

    // D22
    @Test mutating func `cancelAll ends downloads that wait to retry too`() {
        let listener = queue.enqueue(url)
        queue.send(.finished(lost), to: url)

        queue.cancelAll()
        queue.advance(by: .seconds(10))

        #expect(queue.results[listener] == [.failure(.cancelled)])
        #expect(queue.startedURLs.count == 1)
    }

    // D22
    @Test mutating func `a suspended queue retries nothing until it resumes`() {
        _ = queue.enqueue(url)
        queue.setSuspended(true)
        queue.send(.finished(lost), to: url)

        queue.advance(by: .seconds(10))
        #expect(queue.running.isEmpty)
        queue.setSuspended(false)

        #expect(queue.runningURLs == [url])
    }
}
