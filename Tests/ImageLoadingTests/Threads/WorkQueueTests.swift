import ImageLoadingTesting
import Testing

@testable import ImageLoading

struct WorkQueueTests {
    private func queue(
        _ order: WorkOrder,
        _ works: [(String, LoadPriority)]
    ) -> (WorkQueue<String>, [UInt64]) {
        var queue = WorkQueue<String>(order: order)
        let ids = works.map { work, priority in
            let id = queue.makeID()
            queue.insert(work, id: id, priority: priority)
            return id
        }
        return (queue, ids)
    }

    private func drain(_ queue: WorkQueue<String>) -> String {
        var queue = queue
        var result = ""
        while let work = queue.next() { result += work }
        return result
    }

    @Test(arguments: [(WorkOrder.newestFirst, "dbeca"), (.oldestFirst, "bdcea")])
    func `work leaves by priority and then by age`(order: WorkOrder, expected: String) {
        let works: [(String, LoadPriority)] = [
            ("a", .low), ("b", .high), ("c", .normal), ("d", .high), ("e", .normal),
        ]

        let (queue, _) = queue(order, works)

        #expect(drain(queue) == expected)
    }

    @Test func `removed work never leaves, and is removed only once`() {
        var (queue, ids) = queue(.oldestFirst, [("a", .low), ("b", .high), ("c", .low)])

        #expect(queue.remove(ids[0]) == "a")
        #expect(queue.remove(ids[0]) == nil)
        #expect(queue.remove(99) == nil)

        #expect(queue.count == 2)
        #expect(drain(queue) == "bc")
    }

    @Test func `work added late is as old as its ID`() {
        var queue = WorkQueue<String>(order: .oldestFirst)
        let (first, second, third) = (queue.makeID(), queue.makeID(), queue.makeID())

        queue.insert("c", id: third, priority: .low)
        queue.insert("a", id: first, priority: .low)
        queue.insert("b", id: second, priority: .low)

        #expect(queue.remove(second) == "b")
        #expect(drain(queue) == "ac")
    }

    @Test func `ten thousand random steps agree with a sorted list`() {
        for order in [WorkOrder.newestFirst, .oldestFirst] {
            var generator = SeededGenerator(seed: 3)
            var queue = WorkQueue<UInt64>(order: order)
            var model: [(id: UInt64, priority: LoadPriority)] = []
            for step in 0..<10_000 {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0...2:
                    let id = queue.makeID()
                    let priority = LoadPriority.allCases.randomElement(using: &generator) ?? .low
                    queue.insert(id, id: id, priority: priority)
                    model.append((id, priority))
                case 3:
                    let id = UInt64.random(in: 1...UInt64(step + 1), using: &generator)
                    let place = model.firstIndex { $0.id == id }
                    #expect(queue.remove(id) == place.map { model.remove(at: $0).id })
                default:
                    let next = model.indices.max { left, right in
                        let (one, other) = (model[left], model[right])
                        guard one.priority == other.priority else {
                            return one.priority < other.priority
                        }
                        return (one.id < other.id) == (order == .newestFirst)
                    }
                    #expect(queue.next() == next.map { model.remove(at: $0).id }, "seed 3, \(step)")
                }
                #expect(queue.count == model.count)
            }
        }
    }
}

/// Work usually retains its requester, which often owns the queue.
struct WorkQueueReleaseTests {
    private final class Work {}

    @Test(arguments: [WorkOrder.newestFirst, .oldestFirst])
    func `taken or removed work is released`(order: WorkOrder) {
        var queue = WorkQueue<Work>(order: order)
        weak var taken: Work?
        weak var removed: Work?
        do {
            let works = [Work(), Work()]
            let ids = works.map { _ in queue.makeID() }
            for (work, id) in zip(works, ids) { queue.insert(work, id: id, priority: .low) }
            taken = works[order == .newestFirst ? 1 : 0]
            removed = works[order == .newestFirst ? 0 : 1]
            _ = queue.next()
            _ = queue.remove(order == .newestFirst ? ids[0] : ids[1])
        }

        #expect(taken == nil)
        #expect(removed == nil)
        #expect(queue.isEmpty)
    }
}
