import ImageLoadingTesting
import Testing

@testable import ImageLoading

struct LeastRecentlyUsedTests {
    /// What `LeastRecentlyUsed` means, written down naively: a list, oldest first.
    private struct Model {
        var entries: [(key: Int, value: Int, cost: Int)] = []

        mutating func take(_ key: Int) -> (key: Int, value: Int, cost: Int)? {
            entries.firstIndex { $0.key == key }.map { entries.remove(at: $0) }
        }
    }

    @Test func `ten thousand random steps agree with a naive list`() {
        var generator = SeededGenerator(seed: 17)
        var cache = LeastRecentlyUsed<Int, Int>()
        var model = Model()
        for step in 0..<10_000 {
            let key = Int.random(in: 0..<40, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...2:
                let cost = Int.random(in: 0..<100, using: &generator)
                #expect(cache.insert(step, for: key, cost: cost) == model.take(key)?.value)
                model.entries.append((key, step, cost))
            case 3...4:
                let used = model.take(key)
                if let used { model.entries.append(used) }
                #expect(cache.use(key) == used?.value, "seed 17, step \(step)")
            case 5:
                #expect(cache.remove(key) == model.take(key)?.value)
            case 6:
                #expect(cache.peek(key) == model.entries.first { $0.key == key }?.value)
            default:
                let oldest = model.entries.isEmpty ? nil : model.entries.removeFirst()
                #expect(cache.removeOldest()?.key == oldest?.key, "seed 17, step \(step)")
            }
            #expect(cache.keys == model.entries.map(\.key), "seed 17, step \(step)")
            #expect(cache.totalCost == model.entries.reduce(0) { $0 + $1.cost })
            #expect(cache.count == model.entries.count)
        }
    }
}
