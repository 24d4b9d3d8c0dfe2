import Testing

@testable import ImageLoading

/// The reduction of simultaneous transfers if there are too many.
@Suite struct DownloadQueueNarrowingTests {
    var queue = DownloadQueueHarness { $0.patience = .seconds(60) }

    /// Runs transfers with a server that resets all connections beyond its capacity.
    private mutating func run(_ count: Int, taking capacity: Int) -> Int {
        for number in 1...count {
            var request = DownloadRequest(url: "http://a/\(number)")
            request.waitsForHost = true
            _ = queue.enqueue(request)
        }
        var rounds = 0
        while queue.results.count < count, rounds < 1_000 {
            rounds += 1
            let urls = queue.running.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value.url)
            for url in urls.prefix(capacity) {
                queue.send(.head(TransferHead(status: 200, expectedByteCount: 1)), to: url)
            }
            for url in urls.dropFirst(capacity) {
                queue.send(.finished(.transfer(.connectionLost)), to: url)
            }
            for url in urls.prefix(capacity) {
                queue.send(.chunk([1]), to: url)
                queue.send(.finished(nil), to: url)
            }
            queue.advance(by: .seconds(1))
        }
        return queue.results.values.count { results in
            if case .success? = results.first { true } else { false }
        }
    }

    @Test(arguments: [1, 2, 4])
    mutating func `all requests succeed on a server that resets parallel connections`(
        capacity: Int
    ) {
        let loaded = run(100, taking: capacity)

        #expect(loaded == 100)
        // Each refusal costs a request; there are few refusals, because the limit is found and then
        // respected.
        #expect(queue.startedURLs.count < 140)
    }

    @Test mutating func `the reduction of transfers is reported once`() {
        _ = run(100, taking: 1)

        let told = queue.notices.filter { if case .fewerTransfers = $0 { true } else { false } }

        #expect(told.count == 1)
    }

    @Test mutating func `a local shortage lowers the number for all hosts, and blames none`() {
        let lack = ImageLoadingError.transfer(.noResources, "no file descriptor left")
        for host in "abcdef" { _ = queue.enqueue("http://\(host)/1") }

        queue.send(.finished(lack), to: "http://f/1")
        queue.send(.finished(lack), to: "http://e/1")
        queue.advance(by: .seconds(3))

        #expect(queue.runningURLs == ["http://a/1", "http://b/1", "http://c/1", "http://d/1"])
        queue.respond(to: "http://a/1")
        queue.respond(to: "http://b/1")
        #expect(queue.running.count == 3)
        #expect(queue.statistics.unavailableHosts == 0)
        #expect(queue.notices == [.outOfResources(lack, count: 3)])
    }
}

@Suite struct TransferLimitTests {
    private var limit = TransferLimit()

    @Test
    mutating func `a burst of refusals halves the limit once, and later refusals halve it again`() {
        let first = (1...6).map { limit.refused($0, running: 7 - $0, lastStarted: 6) }
        #expect(first == [true, false, false, false, false, false] && limit.limit == 3)

        let second = limit.refused(7, running: 3, lastStarted: 9)

        #expect(second && limit.limit == 1)
    }

    @Test mutating func `a transfer that was alone is not refused because of others`() {
        let hasFallen = limit.refused(1, running: 1, lastStarted: 1)

        #expect(!hasFallen && limit.limit == nil)
    }

    @Test mutating func `the limit rises one by one, later after each fall, up to the maximum`() {
        _ = limit.refused(1, running: 6, lastStarted: 6)
        for _ in 0..<24 { limit.answered(most: 6) }
        #expect(limit.limit == 4)
        _ = limit.refused(7, running: 4, lastStarted: 10)
        #expect(limit.limit == 2)
        for _ in 0..<24 { limit.answered(most: 6) }
        #expect(limit.limit == 2)

        for _ in 0..<1_000 { limit.answered(most: 6) }

        #expect(limit.limit == nil)
    }
}

@Suite struct HostSlotsTests {
    @Test(arguments: [true, false])
    func `records of more than a thousand hosts replace the earlier ones`(areRefused: Bool) {
        var slots = HostSlots(limit: nil)
        slots.answered("first.example", width: 6)

        for number in 0..<1_000 {
            if areRefused {
                _ = slots.refused(1, by: "\(number).example", lastStarted: 1)
            } else {
                slots.answered("\(number).example", width: 6)
            }
        }

        #expect(slots.answerCount(of: "first.example") == 0)
    }
}
