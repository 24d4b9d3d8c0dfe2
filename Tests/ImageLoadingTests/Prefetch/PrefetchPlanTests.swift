import Testing

@testable import ImageLoading

@Suite struct PrefetchPlanTests {
    private var harness = PrefetchPlanHarness(width: 3)

    // PF1, default prefetch
    @Test mutating func `three loads run, and the next starts when one ends`() {
        _ = harness.add(["a", "b", "c", "d", "e"])
        #expect(harness.runningURLs == ["a", "b", "c"])

        harness.finish("b")

        #expect(harness.runningURLs == ["a", "c", "d"])
    }

    // PF1: the default priority of a request is the screen's.
    @Test mutating func `requests made for the screen are loaded at low priority`() {
        _ = harness.add([ImageRequest(url: "a", options: .highPriority)])

        #expect(harness.startedPriorities == [.low])
    }

    @Test mutating func `a list may hold soon-visible and far requests`() {
        var options = PrefetchOptions()
        options.highestPriority = .normal

        _ = harness.add(
            [ImageRequest(url: "a"), ImageRequest(url: "b", priority: .low)],
            options
        )

        #expect(harness.startedPriorities == [.normal, .low])
    }

    @Test mutating func `a list's priority can be changed while it runs`() {
        let requests = ["a", "b", "c", "d"].map { ImageRequest(url: $0) }
        let modest = ImageRequest(url: "m", priority: .low)
        let list = harness.add([modest] + requests)

        harness.setPriority(.normal, of: list)
        let changed = harness.changedPriorities
        harness.finish("a")

        #expect(changed == ["m": .low, "a": .normal, "b": .normal])
        #expect(harness.startedPriorities == [.low, .low, .low, .normal])
        #expect(harness.plan.priority(of: list) == .normal)
    }

    @Test mutating func `the priority of a list that has ended changes nothing`() {
        let list = harness.add(["a"])
        harness.finish("a")

        harness.setPriority(.high, of: list)

        #expect(harness.changedPriorities.isEmpty)
        #expect(harness.plan.priority(of: list) == nil)
    }

    // PF3
    @Test mutating func `progress counts each request once, whatever its outcome`() {
        let token = harness.add(["a", "b", "c"])

        harness.finish("b", .failed(.cancelled))
        harness.finish("a")
        harness.finish("c", .cancelled)

        #expect(harness.progress[token]?.map(\.finished) == [1, 2, 3])
        #expect(harness.progress[token]?.allSatisfy { $0.total == 3 } == true)
    }

    // PF4
    @Test mutating func `the end is delivered once, with each outcome counted`() {
        let token = harness.add(["a", "b", "c", "d"])
        harness.finish("a", byteCount: 10)
        harness.finish("b", .failed(.cancelled), byteCount: 5)
        harness.finish("c", .cancelled)
        #expect(harness.summaries[token] == nil)

        harness.finish("d", .loaded(.disk))

        var expected = PrefetchSummary()
        expected.loaded = 2
        expected.failed = 1
        expected.cancelled = 1
        expected.bytesReceived = 15
        #expect(harness.summaries[token] == [expected])
    }

    // PF5
    @Test mutating func `an empty list completes immediately, also while paused`() {
        harness.setPaused(true)

        let token = harness.add([String]())

        #expect(harness.summaries[token] == [PrefetchSummary()])
    }

    // PF6
    @Test mutating func `a cancelled list completes with the finished requests`() {
        let token = harness.add(["a", "b", "c", "d", "e"])
        harness.finish("a")

        harness.cancel(token)

        #expect(harness.cancelledURLs == ["b", "c", "d"])
        #expect(harness.summaries[token]?.map(\.loaded) == [1])
        #expect(harness.summaries[token]?.map(\.cancelled) == [4])
        #expect(harness.running.isEmpty)
    }

    @Test mutating func `cancelling a list does not affect the others and makes room for them`() {
        let first = harness.add(["a", "b"])
        let second = harness.add(["c", "d"])

        harness.cancel(first)

        #expect(harness.runningURLs == ["c", "d"])
        #expect(harness.summaries[second] == nil)
    }

    // PF2
    @Test mutating func `a replacing list cancels the lists before it`() {
        let first = harness.add(["a", "b"])
        let second = harness.add(["c", "d"])
        var options = PrefetchOptions()
        options.replacesEarlierLists = true

        _ = harness.add(["x", "y"], options)

        #expect(harness.runningURLs == ["x", "y"])
        #expect(harness.summaries[first]?.map(\.cancelled) == [2])
        #expect(harness.summaries[second]?.map(\.cancelled) == [2])
    }

    @Test(arguments: [false, true])
    mutating func `running requests of the replacing list continue`(isPaused: Bool) {
        _ = harness.add(["a", "b", "c", "d"])
        harness.setPaused(isPaused)
        var options = PrefetchOptions()
        options.replacesEarlierLists = true

        let token = harness.add(["x", "c", "b"], options)

        // They are started for the new list before the old list releases them.
        #expect(harness.startedURLs.suffix(isPaused ? 2 : 3).starts(with: ["c", "b"]))
        #expect(harness.runningURLs == (isPaused ? ["c", "b"] : ["c", "b", "x"]))
        harness.finish("c")
        #expect(harness.outcomes[token]?.map(\.url) == ["c"])
    }

    @Test mutating func `while paused, nothing starts, and running requests continue`() {
        let token = harness.add(["a", "b", "c", "d"])
        harness.setPaused(true)

        harness.finish("a")
        #expect(harness.runningURLs == ["b", "c"])
        #expect(harness.outcomes[token]?.count == 1)

        harness.setPaused(false)
        #expect(harness.runningURLs == ["b", "c", "d"])
    }

    @Test mutating func `when the byte budget is used up the rest is skipped`() {
        var options = PrefetchOptions()
        options.byteBudget = 100
        let token = harness.add(["a", "b", "c", "d", "e"], options)

        harness.finish("a", byteCount: 60)
        #expect(harness.runningURLs == ["b", "c", "d"])
        harness.finish("b", byteCount: 40)

        // Running loads continue, because their bytes are already paid for.
        #expect(harness.runningURLs == ["c", "d"])
        #expect(harness.outcomes[token]?.last?.outcome == .skipped(.budgetSpent))
        harness.finish("c")
        harness.finish("d")
        #expect(harness.summaries[token]?.map(\.skipped) == [1])
    }

    @Test mutating func `the statistics have the running loads and their progress`() {
        _ = harness.add(["a", "b"])
        _ = harness.add(["c"])
        harness.note(70, of: harness.running[1])

        let loads = harness.plan.statistics.loads

        #expect(loads.map(\.request.url) == ["a", "b", "c"])
        #expect(loads.map { $0.progress?.received } == [nil, 70, nil])
    }

    @Test mutating func `bytes of running loads and of failed ones count against the budget`() {
        var options = PrefetchOptions()
        options.byteBudget = 100
        let token = harness.add(["a", "b", "c", "d"], options)

        harness.note(70, of: harness.running[1])
        harness.finish("a", .failed(.cancelled), byteCount: 30)

        #expect(harness.runningURLs == ["b", "c"])
        #expect(harness.outcomes[token]?.map(\.url) == ["a", "d"])
    }

    @Test mutating func `a budget of 0 loads nothing`() {
        var options = PrefetchOptions()
        options.byteBudget = 0

        let token = harness.add(["a", "b"], options)

        #expect(harness.startedURLs.isEmpty)
        #expect(harness.summaries[token]?.map(\.skipped) == [2])
    }

    @Test
    mutating func `a refused load ends the waiting requests of all lists, not the running ones`() {
        let first = harness.add(["a", "b", "c", "d"])
        let second = harness.add(["e"])

        harness.refuse(harness.running[2])

        #expect(harness.runningURLs == ["a", "b"])
        #expect(harness.outcomes[first]?.map(\.url) == ["c", "d"])
        #expect(harness.summaries[second]?.map(\.skipped) == [1])
    }

    @Test mutating func `the end of a load that was cancelled a moment ago is ignored`() {
        let token = harness.add(["a"])
        let item = harness.running[0]
        harness.cancel(token)

        harness.finish(item, .loaded(.network))

        #expect(harness.outcomes[token]?.count == 1)
        #expect(harness.strays == 0)
    }

    @Test mutating func `the same request twice in a list has two outcomes`() {
        let token = harness.add(["a", "a"])

        harness.finish("a")
        harness.finish("a")

        #expect(harness.summaries[token]?.map(\.loaded) == [2])
    }
}
