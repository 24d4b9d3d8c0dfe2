import Testing

@testable import ImageLoading

/// Which waiting transfer starts next.
@Suite struct DownloadQueueOrderTests {
    // D1
    @Test func `six transfers run in parallel`() {
        var queue = DownloadQueueHarness()

        for number in 1...20 { _ = queue.enqueue("http://a/\(number)") }

        #expect(queue.statistics.live == 6)
        #expect(queue.statistics.queued == 14)
    }

    // D18
    @Test func `first in, first out starts the oldest next`() {
        var queue = DownloadQueueHarness()
        for number in 1...20 { _ = queue.enqueue("http://a/\(number)") }

        for number in 1...20 { queue.respond(to: "http://a/\(number)") }

        #expect(queue.startedURLs == (1...20).map { "http://a/\($0)" })
    }

    // F3, open point g
    @Test func `last in, first out starts the newest next, with all six slots used`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        for number in 1...20 { _ = queue.enqueue("http://a/\(number)") }
        #expect(queue.startedURLs.count == 6)

        for number in [1, 2, 3] { queue.respond(to: "http://a/\(number)") }

        #expect(queue.startedURLs.suffix(3) == ["http://a/20", "http://a/19", "http://a/18"])
        #expect(queue.statistics.live == 6)
    }

    // F3: joining counts as a new request
    @Test func `joining makes a waiting transfer the newest`() {
        var queue = DownloadQueueHarness { $0.order = .lastInFirstOut }
        queue.setWidth(1)
        for number in 1...5 { _ = queue.enqueue("http://a/\(number)") }

        _ = queue.enqueue("http://a/2")
        queue.respond(to: "http://a/1")

        #expect(queue.startedURLs.last == "http://a/2")
    }

    // D17
    @Test(arguments: [
        DownloaderConfiguration.Order.firstInFirstOut, DownloaderConfiguration.Order.lastInFirstOut,
    ])
    func `higher priority is first, in any order`(order: DownloaderConfiguration.Order) {
        var queue = DownloadQueueHarness { $0.order = order }
        queue.setWidth(1)
        _ = queue.enqueue("http://a/running")
        _ = queue.enqueue("http://a/low", priority: .low)
        _ = queue.enqueue("http://a/high", priority: .high)
        _ = queue.enqueue("http://a/normal", priority: .normal)

        for name in ["running", "high", "normal"] { queue.respond(to: "http://a/\(name)") }

        let expected = ["running", "high", "normal", "low"].map { "http://a/\($0)" }
        #expect(queue.startedURLs == expected)
    }

    // F24, open point c
    @Test func `joining raises the priority and leaving lowers it again`() {
        var queue = DownloadQueueHarness()
        queue.setWidth(1)
        _ = queue.enqueue("http://a/running")
        _ = queue.enqueue("http://a/a", priority: .low)
        _ = queue.enqueue("http://a/b", priority: .low)
        _ = queue.enqueue("http://a/normal", priority: .normal)

        _ = queue.enqueue("http://a/a", priority: .high)
        let visitor = queue.enqueue("http://a/b", priority: .high)
        queue.leave(visitor)
        for name in ["running", "a", "normal"] { queue.respond(to: "http://a/\(name)") }

        let expected = ["running", "a", "normal", "b"].map { "http://a/\($0)" }
        #expect(queue.startedURLs == expected)
    }

    // F24
    @Test func `setPriority moves a waiting transfer up and down`() {
        var queue = DownloadQueueHarness()
        queue.setWidth(1)
        _ = queue.enqueue("http://a/running")
        let first = queue.enqueue("http://a/1")
        let second = queue.enqueue("http://a/2")
        _ = queue.enqueue("http://a/3")

        queue.setPriority(.low, of: first)
        queue.setPriority(.high, of: second)
        for name in ["running", "2", "3"] { queue.respond(to: "http://a/\(name)") }

        #expect(queue.startedURLs == ["running", "2", "3", "1"].map { "http://a/\($0)" })
    }

    // D21
    @Test func `a wider queue starts more immediately, a narrower one lets the running finish`() {
        var queue = DownloadQueueHarness()
        for number in 1...20 { _ = queue.enqueue("http://a/\(number)") }

        queue.setWidth(8)
        #expect(queue.statistics.live == 8)
        queue.setWidth(0)
        queue.respond(to: "http://a/1")

        #expect(queue.statistics.live == 7)
        #expect(queue.cancelledURLs.isEmpty)
    }

    // D22
    @Test func `a suspended queue starts nothing, and resumes in the same order`() {
        var queue = DownloadQueueHarness()
        queue.setWidth(1)
        _ = queue.enqueue("http://a/1")
        queue.setSuspended(true)
        _ = queue.enqueue("http://a/2")

        queue.respond(to: "http://a/1")
        #expect(queue.startedURLs == ["http://a/1"])
        queue.setSuspended(false)

        #expect(queue.startedURLs == ["http://a/1", "http://a/2"])
    }

    @Test func `a host at its limit does not delay the others`() {
        var queue = DownloadQueueHarness { $0.maximumTransfersPerHost = 2 }

        for number in 1...10 { _ = queue.enqueue("http://a/\(number)") }
        for number in 1...3 { _ = queue.enqueue("http://b:8080/\(number)") }

        #expect(
            queue.runningURLs == [
                "http://a/1", "http://a/2", "http://b:8080/1", "http://b:8080/2",
            ]
        )
    }

    @Test func `a slot that a host frees is given to its most urgent download`() {
        var queue = DownloadQueueHarness { $0.maximumTransfersPerHost = 1 }
        for number in 1...4 { _ = queue.enqueue("http://a/\(number)") }
        let urgent = queue.enqueue("http://a/5", priority: .high)
        _ = queue.enqueue("http://a/6", priority: .high)

        queue.leave(urgent)
        queue.respond(to: "http://a/1")
        queue.respond(to: "http://a/6")

        #expect(queue.startedURLs == ["http://a/1", "http://a/6", "http://a/2"])
    }

    /// If a parked transfer is moved back to the heap and then cancelled, the next one must get its
    /// turn.
    @Test func `a cancelled candidate does not block its host`() {
        var queue = DownloadQueueHarness { $0.maximumTransfersPerHost = 1 }
        queue.setWidth(2)
        _ = queue.enqueue("http://a/1")
        let candidate = queue.enqueue("http://a/2")
        _ = queue.enqueue("http://a/3")
        queue.setSuspended(true)
        queue.respond(to: "http://a/1")

        queue.leave(candidate)
        queue.setSuspended(false)

        #expect(queue.runningURLs == ["http://a/3"])
    }

    @Test func `thousands of downloads added and cancelled while none can start leave no state`() {
        var list = ReadyList(order: .lastInFirstOut)
        let kept = TransferID(rawValue: 0)
        list.insert(kept, host: "", priority: .low)

        for number in 1...10_000 {
            let id = TransferID(rawValue: UInt64(number))
            list.insert(id, host: "", priority: .high)
            list.remove(id)
        }

        #expect(list.storedTicketCount < 100)
        #expect(list.popFirst { _ in true } == kept)
        #expect(list.count == 0)
    }
}
