import Testing

@testable import ImageLoading

@Suite struct TraceQueueTests {
    private func event(_ number: Int) -> TraceEvent {
        TraceEvent(time: .seconds(number), subject: nil, kind: .missed)
    }

    @Test func `events come out in order, once`() {
        var queue = TraceQueue(capacity: 10)

        let wakes = (0..<3).map { queue.add(event($0)) }
        let batch = queue.take()

        #expect(wakes == [true, false, false])
        #expect(batch?.events.map(\.time) == [.seconds(0), .seconds(1), .seconds(2)])
        #expect(batch?.droppedCount == 0)
        let rest = queue.take()
        #expect(rest == nil)
    }

    @Test func `a full queue drops what is new and counts it at its place`() {
        var queue = TraceQueue(capacity: 2)
        for number in 0..<5 { _ = queue.add(event(number)) }

        let first = queue.take()
        _ = queue.add(event(5))
        let second = queue.take()

        #expect(first?.events.map(\.time) == [.seconds(0), .seconds(1)])
        #expect(first?.droppedCount == 3)
        #expect(second?.events.map(\.time) == [.seconds(5)])
        #expect(second?.droppedCount == 0)
    }

    @Test func `a closed queue gives what it has and takes nothing`() {
        var queue = TraceQueue(capacity: 2)
        _ = queue.add(event(0))

        queue.close()
        let wakes = queue.add(event(1))

        #expect(!wakes)
        let batches = [queue.take(), queue.take()]
        #expect(batches == [.init(events: [event(0)]), nil])
    }
}
