import Testing

@testable import ImageLoading

/// A failing host, which receives no requests for a while.
@Suite struct DownloadQueueHostTests {
    var queue = DownloadQueueHarness { $0.maximumAttempts = 1 }
    let refused = ImageLoadingError.transfer(.noConnection, "refused")

    @Test mutating func `after five failures in a row a load of the host fails immediately`() {
        failFive()

        let listener = queue.enqueue("http://a/6")

        #expect(
            queue.error(of: listener)
                == .download(.transient, .hostUnavailable(host: "a", seconds: 10))
        )
        #expect(queue.startedURLs.count == 5)
        #expect(queue.statistics.unavailableHosts == 1)
        #expect(queue.trace(of: "a") == [.hostAvailability(isAvailable: false)])
    }

    @Test mutating func `other hosts and ports are not affected`() {
        failFive()

        _ = queue.enqueue("http://a:8080/1")
        _ = queue.enqueue("http://b/1")

        #expect(queue.runningURLs == ["http://a:8080/1", "http://b/1"])
    }

    @Test mutating func `downloads that wait for the host fail with it, and others get the slots`()
    {
        queue.setWidth(5)
        for number in 1...5 { _ = queue.enqueue("http://a/\(number)") }
        let waiting = queue.enqueue("http://a/6")
        let other = queue.enqueue("http://b/1", priority: .low)

        queue.setSuspended(true)
        for number in 1...5 { queue.send(.finished(refused), to: "http://a/\(number)") }
        queue.setSuspended(false)

        #expect(
            queue.error(of: waiting)?.reason == .hostUnavailable(host: "a", seconds: 10)
        )
        #expect(queue.results[other] == nil)
        #expect(queue.runningURLs == ["http://b/1"])
    }

    @Test mutating func `after the pause one probe is sent, and its response releases the others`()
    {
        failFive()
        queue.advance(by: .seconds(10))

        let listeners = (10...14).map { queue.enqueue("http://a/\($0)") }
        #expect(queue.runningURLs == ["http://a/10"])
        #expect(queue.statistics.unavailableHosts == 1)
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 3)), to: "http://a/10")

        #expect(queue.running.count == 5)
        #expect(queue.statistics.unavailableHosts == 0)
        #expect(queue.trace(of: "a").last == .hostAvailability(isAvailable: true))
        #expect(listeners.allSatisfy { queue.results[$0] == nil })
    }

    @Test mutating func `a failed probe fails the downloads that waited for it`() {
        failFive()
        queue.advance(by: .seconds(10))
        let listeners = (10...12).map { queue.enqueue("http://a/\($0)") }

        queue.send(.finished(refused), to: "http://a/10")

        #expect(queue.error(of: listeners[0]) == refused)
        #expect(
            queue.error(of: listeners[1])?.reason == .hostUnavailable(host: "a", seconds: 20)
        )
        #expect(queue.running.isEmpty)
        #expect(queue.statistics.queued == 0)
    }

    @Test mutating func `a cancelled probe is replaced by the next download`() {
        failFive()
        queue.advance(by: .seconds(10))
        let probe = queue.enqueue("http://a/10")
        _ = queue.enqueue("http://a/11")

        queue.leave(probe)

        #expect(queue.runningURLs == ["http://a/11"])
    }

    // O13: a probe that continues without a listener has no slot to release at its end
    @Test mutating func `a detached probe without a result is replaced`() {
        failFive()
        queue.advance(by: .seconds(10))
        var request = DownloadRequest(url: "http://a/10")
        request.continuesInBackground = true
        queue.leave(queue.enqueue(request))
        _ = queue.enqueue("http://a/11")
        #expect(queue.runningURLs == ["http://a/10"])

        queue.send(
            .finished(.transfer(.noNetwork, "no network")),
            to: "http://a/10"
        )

        #expect(queue.runningURLs == ["http://a/11"])
    }

    @Test mutating func `forgetting unavailable hosts permits immediate requests again`() {
        failFive()

        queue.clearUnavailableHosts()
        _ = queue.enqueue("http://a/6")

        #expect(queue.runningURLs == ["http://a/6"])
        #expect(queue.statistics.unavailableHosts == 0)
    }

    @Test mutating func `a request of the user is an early probe`() {
        failFive()
        var request = DownloadRequest(url: "http://a/10")
        request.asksUnavailableHost = true

        _ = queue.enqueue(request)
        request.url = "http://a/11"
        _ = queue.enqueue(request)

        #expect(queue.runningURLs == ["http://a/10"])
        queue.send(.finished(refused), to: "http://a/10")
        let next = queue.enqueue("http://a/12")
        #expect(queue.error(of: next)?.reason == .hostUnavailable(host: "a", seconds: 20))
    }

    @Test mutating func `a host that requests a pause of a minute gets it`() {
        let head = TransferHead(
            status: 429,
            expectedByteCount: 0,
            headers: ["retry-after": "60"]
        )
        _ = queue.enqueue("http://a/1")
        queue.send(.head(head), to: "http://a/1")
        queue.send(.finished(nil), to: "http://a/1")

        let listener = queue.enqueue("http://a/2")

        #expect(
            queue.error(of: listener)?.reason == .hostUnavailable(host: "a", seconds: 60)
        )
    }

    @Test mutating func `an occasional error page does not make a host unavailable`() {
        for number in 1...20 {
            _ = queue.enqueue("http://a/\(number)")
            queue.respond(to: "http://a/\(number)", body: [1], status: 404)
        }

        #expect(queue.startedURLs.count == 20)
    }

    @Test func `user and password are not part of a host's name`() {
        let request = DownloadRequest(url: "http://user:secret@a.example:81/x@y")

        #expect(DownloadKey(request).authority == "a.example:81")
    }

    private mutating func failFive() {
        for number in 1...5 {
            _ = queue.enqueue("http://a/\(number)")
            queue.send(.finished(refused), to: "http://a/\(number)")
        }
    }
}
