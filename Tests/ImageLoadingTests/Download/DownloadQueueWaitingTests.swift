import Testing

@testable import ImageLoading

/// Downloads that wait for a failing host instead of failing.
@Suite struct DownloadQueueWaitingTests {
    var queue = DownloadQueueHarness { $0.patience = .seconds(60) }
    let refused = ImageLoadingError.transfer(.noConnection, "refused")
    let lost = ImageLoadingError.transfer(.connectionLost)

    private mutating func enqueue(_ numbers: ClosedRange<Int>) -> [ListenerID] {
        numbers.map { number in
            var request = DownloadRequest(url: "http://a/\(number)")
            request.waitsForHost = true
            return queue.enqueue(request)
        }
    }

    private mutating func failAll(_ error: ImageLoadingError) {
        for url in queue.runningURLs.sorted() { queue.send(.finished(error), to: url) }
    }

    private mutating func answerAll() {
        while let url = queue.runningURLs.sorted().first { queue.respond(to: url) }
    }

    private var isAllWell: Bool {
        queue.results.values.allSatisfy { results in
            if case .success? = results.first { results.count == 1 } else { false }
        }
    }

    // MARK: A host that is briefly unavailable

    @Test mutating func `no download fails while its host is away for a moment`() {
        let listeners = enqueue(1...300)

        failAll(refused)
        queue.advance(by: .seconds(1))
        answerAll()

        #expect(queue.results.count == listeners.count && isAllWell)
        #expect(queue.statistics.queued == 0 && queue.statistics.unavailableHosts == 0)
    }

    @Test mutating func `while a host is away one probe at a time is sent, after doubling pauses`()
    {
        _ = enqueue(1...20)
        while !queue.running.isEmpty { failAll(refused) }
        var probes: [Duration] = []

        for _ in 0..<40 {
            queue.advance(by: .seconds(1))
            if !queue.running.isEmpty {
                #expect(queue.running.count == 1)
                probes.append(queue.now.uptime)
                failAll(refused)
            }
        }

        #expect(probes == [1, 3, 7, 15, 31].map { .seconds($0) })
    }

    @Test
    mutating func `listeners receive the reason for waiting, and nothing else before the response`()
    {
        let listeners = enqueue(1...8)

        while !queue.running.isEmpty { failAll(refused) }

        #expect(listeners.allSatisfy { queue.events[$0]?.last == .waiting(refused) })
        #expect(queue.notices == [.hostUnavailable(host: "a", refused)])
        queue.advance(by: .seconds(1))
        answerAll()
        #expect(queue.notices.last == .hostAvailable(host: "a"))
    }

    @Test mutating func `a download added during the host's pause waits as well`() {
        _ = enqueue(1...6)
        failAll(refused)

        let late = enqueue(7...7)[0]
        let impatient = queue.enqueue("http://a/8")

        #expect(queue.results[late] == nil)
        #expect(queue.error(of: impatient)?.reason == .hostUnavailable(host: "a", seconds: 10))
        guard case .waiting? = queue.events[late]?.first else {
            Issue.record("it is not told that it waits")
            return
        }
    }

    @Test mutating func `a joining listener that waits for hosts makes the download wait`() {
        let first = queue.enqueue("http://a/1")
        let second = enqueue(1...1)[0]

        for _ in 0..<4 { failAll(refused); queue.advance(by: .seconds(5)) }

        #expect(queue.results[first] == nil && queue.results[second] == nil)
    }

    // MARK: Patience

    @Test mutating func `the patience ends for all downloads of a silent host, and for new ones`() {
        let listeners = enqueue(1...20)

        for _ in 0..<70 {
            failAll(refused)
            queue.advance(by: .seconds(1))
        }

        #expect(listeners.allSatisfy { queue.results[$0]?.count == 1 })
        #expect(queue.now.uptime < .seconds(71) && queue.statistics.queued == 0)
        let late = enqueue(30...30)[0]
        #expect(queue.error(of: late) != nil)
    }

    @Test mutating func `a byte of the host is progress, and the patience restarts`() {
        _ = enqueue(1...2)
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 1_000)), to: "http://a/1")

        for _ in 0..<30 {
            queue.send(.chunk([1]), to: "http://a/1")
            if queue.runningURLs.contains("http://a/2") {
                queue.send(.finished(refused), to: "http://a/2")
            }
            queue.advance(by: .seconds(5))
        }

        #expect(queue.results.isEmpty)
    }

    @Test mutating func `a patience of zero has no effect`() {
        queue = DownloadQueueHarness { $0.patience = .zero }
        let listeners = enqueue(1...10)

        failAll(refused)
        queue.advance(by: .seconds(1))
        failAll(refused)

        #expect(listeners.allSatisfy { queue.error(of: $0) != nil })
    }

    @Test mutating func `a pause longer than the patience is not awaited`() {
        let listener = enqueue(1...1)[0]

        busy("http://a/1", status: 503, retryAfter: 3_600)

        #expect(queue.error(of: listener)?.httpStatus == 503)
    }

    @Test mutating func `leaving while waiting ends immediately and frees the queue`() {
        let listeners = enqueue(1...10)
        failAll(refused)

        for listener in listeners { queue.leave(listener) }

        #expect(listeners.allSatisfy { queue.error(of: $0) == .cancelled })
        #expect(queue.statistics.queued == 0)
        queue.advance(by: .seconds(100))
        #expect(queue.running.isEmpty && queue.nextWake == nil)
    }

    // MARK: Failures while waiting

    private mutating func busy(_ url: String, status: Int, retryAfter: Int) {
        let headers = ["retry-after": "\(retryAfter)"]
        queue.send(
            .head(TransferHead(status: status, expectedByteCount: 0, headers: headers)),
            to: url
        )
        queue.send(.finished(nil), to: url)
    }

    @Test(arguments: [429, 503])
    mutating func `a short Retry-After delays all downloads of the host, and fails none`(
        status: Int
    ) {
        _ = enqueue(1...3)
        queue.setWidth(1)

        for url in queue.runningURLs.sorted() { busy(url, status: status, retryAfter: 2) }

        #expect(queue.running.isEmpty)
        queue.advance(by: .milliseconds(1_900))
        #expect(queue.running.isEmpty)
        queue.advance(by: .milliseconds(100))
        #expect(!queue.running.isEmpty)
        answerAll()
        #expect(isAllWell)
    }

    @Test mutating func `an image that always fails still fails while others succeed`() {
        let bad = enqueue(1...1)[0]

        for number in 2...20 {
            if queue.runningURLs.contains("http://a/1") {
                queue.respond(to: "http://a/1", body: [], status: 500)
            }
            _ = enqueue(number...number)
            queue.respond(to: "http://a/\(number)")
            queue.advance(by: .seconds(1))
        }

        #expect(queue.error(of: bad)?.httpStatus == 500)
        #expect(queue.startedURLs.count { $0 == "http://a/1" } == 2)
    }

    @Test mutating func `an image that is always too busy while others are not is given up`() {
        let bad = enqueue(1...1)[0]

        for number in 2...60 where queue.results[bad] == nil {
            if queue.runningURLs.contains("http://a/1") {
                busy("http://a/1", status: 503, retryAfter: 1)
            }
            queue.advance(by: .seconds(2))
            _ = enqueue(number...number)
            queue.respond(to: "http://a/\(number)")
        }

        #expect(queue.error(of: bad)?.httpStatus == 503)
        #expect(queue.startedURLs.count { $0 == "http://a/1" } <= 11)
    }

    @Test mutating func `an image that its server drops each time is given up, though it waits`() {
        let bad = enqueue(1...1)[0]

        for _ in 0..<20 {
            failAll(lost)
            queue.advance(by: .seconds(10))
        }

        #expect(queue.error(of: bad)?.isLostConnection == true)
        #expect(queue.startedURLs.count == 3)
    }

    @Test mutating func `a host whose name stops resolving is waited for if it resolved before`() {
        let unknown = ImageLoadingError.transfer(.hostNotFound)
        let early = enqueue(1...1)[0]
        failAll(unknown)
        #expect(queue.error(of: early) == unknown)

        _ = enqueue(2...2)
        answerAll()
        let late = enqueue(3...3)[0]
        failAll(unknown)

        #expect(queue.results[late] == nil)
    }

    @Test mutating func `a missing network is awaited, and does not blame the host`() {
        let listeners = enqueue(1...10)
        let offline = ImageLoadingError.transfer(.noNetwork)

        for _ in 0..<5 {
            failAll(offline)
            queue.advance(by: .seconds(5))
        }
        #expect(queue.statistics.unavailableHosts == 0 && queue.results.isEmpty)
        for _ in 0..<4 { answerAll(); queue.advance(by: .seconds(5)) }

        #expect(queue.results.count == listeners.count && isAllWell)
    }
}
