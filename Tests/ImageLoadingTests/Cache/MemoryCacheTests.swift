import Decoders
import ImageLoadingTesting
import PropertyRuns
import Testing

@testable import ImageLoading

struct MemoryCacheTests {
    private func key(_ name: String, _ side: Int = 10) throws -> ImageKey {
        ImageKey(
            url: try ImageURL(parsing: "http://a.example/\(name)", origin: .local),
            targetSize: PixelSize(width: side, height: side)
        )
    }

    private func image(_ side: Int = 10, shade: UInt8 = 0) -> DecodedImage {
        let size = PixelSize(width: side, height: side)
        return DecodedImage(
            pixels: PixelBuffer(
                size: size,
                bytes: [UInt8](repeating: shade, count: size.pixelCount * 4),
                hasAlpha: false
            ),
            properties: ImageProperties(
                format: .png,
                size: size,
                orientation: 1,
                hasAlpha: false,
                isProgressive: false
            )
        )
    }

    /// Returns the cost of an image of 10×10 pixels.
    private func unit() throws -> Int {
        MemoryStore.cost(of: image(), for: try key("a"))
    }

    @Test func `an inserted image is found only under its own key`() throws {
        let cache = MemoryCache(byteLimit: 1 << 20)

        cache.insert(image(shade: 1), for: try key("a"))

        #expect(cache.image(for: try key("a")) == image(shade: 1))
        #expect(cache.image(for: try key("a", 11)) == nil)
        #expect(cache.image(for: try key("b")) == nil)
    }

    // C3
    @Test func `the cost is four bytes a pixel and the entry's own share (F14)`() throws {
        let cache = MemoryCache(byteLimit: 1 << 20)

        cache.insert(image(100), for: try key("a"))

        #expect((40_000..<41_000).contains(cache.statistics.byteCount))
    }

    @Test func `a full cache evicts the least recently used image, never the new one`() throws {
        let cache = MemoryCache(byteLimit: 3 * (try unit()))
        for name in ["a", "b", "c"] { cache.insert(image(), for: try key(name)) }
        _ = cache.image(for: try key("a"))

        cache.insert(image(), for: try key("d"))

        #expect(cache.image(for: try key("b")) == nil)
        for name in ["a", "c", "d"] { #expect(cache.image(for: try key(name)) != nil) }
        #expect(cache.statistics.evictions == 1)
    }

    @Test func `the budget holds after each of 1,000 inserts (C4)`() throws {
        let cache = MemoryCache(byteLimit: 20_000)
        var generator = SeededGenerator(seed: 4)
        for number in 0..<1_000 {
            let side = Int.random(in: 0..<60, using: &generator)
            cache.insert(image(side), for: try key("\(number % 50)", side))

            #expect(cache.statistics.byteCount <= 20_000)
        }
    }

    @Test func `the largest number is no limit (C4)`() throws {
        let cache = MemoryCache(byteLimit: .max)

        for number in 0..<100 { cache.insert(image(100), for: try key("\(number)")) }

        #expect(cache.statistics.entryCount == 100)
        #expect(cache.statistics.byteLimit == .max)
    }

    @Test(arguments: [(0, Int.max), (-1, .max), (.max, 0), (.max, -1)])
    func `a limit of 0 keeps nothing, shown or not (C4)`(bytes: Int, count: Int) throws {
        let cache = MemoryCache(byteLimit: bytes, countLimit: count)
        let shown = image()

        cache.insert(shown, for: try key("a"))

        #expect(cache.image(for: try key("a")) == nil)
        #expect(!cache.contains(try key("a")))
        #expect(cache.statistics.entryCount == 0)
        withExtendedLifetime(shown) {}
    }

    @Test func `the number of images can be limited (C4)`() throws {
        let cache = MemoryCache(byteLimit: .max, countLimit: 2)

        for name in ["a", "b", "c"] { cache.insert(image(), for: try key(name)) }

        #expect(cache.statistics.entryCount == 2)
        #expect(cache.image(for: try key("a")) == nil)
    }

    @Test func `an image larger than the budget is not kept and pushes nothing out`() throws {
        let cache = MemoryCache(byteLimit: 2 * (try unit()))
        cache.insert(image(), for: try key("a"))

        cache.insert(image(100), for: try key("b"))

        #expect(cache.image(for: try key("b")) == nil)
        #expect(cache.image(for: try key("a")) != nil)
    }

    @Test func `storing an image that is too large removes the previous one`() throws {
        let cache = MemoryCache(byteLimit: 2 * (try unit()))
        cache.insert(image(), for: try key("a"))

        cache.insert(image(100), for: try key("a"))

        #expect(cache.image(for: try key("a")) == nil)
        #expect(cache.statistics.byteCount == 0)
    }

    @Test func `replacing an image counts its bytes once`() throws {
        let cache = MemoryCache(byteLimit: 1 << 20)

        cache.insert(image(shade: 1), for: try key("a"))
        cache.insert(image(shade: 2), for: try key("a"))

        #expect(cache.image(for: try key("a")) == image(shade: 2))
        #expect(cache.statistics.byteCount == (try unit()))
        #expect(cache.statistics.entryCount == 1)
    }

    @Test func `removing a URL removes all of its sizes at once (C17)`() throws {
        let cache = MemoryCache(byteLimit: 1 << 20)
        for side in [10, 20] { cache.insert(image(side), for: try key("a", side)) }
        cache.insert(image(), for: try key("b"))

        cache.remove(try ImageURL(parsing: "http://A.example:80/a#x", origin: .local))

        #expect(cache.image(for: try key("a", 10)) == nil)
        #expect(cache.image(for: try key("a", 20)) == nil)
        #expect(cache.image(for: try key("b")) != nil)
    }

    @Test func `any image of a URL is its largest, and asking is no hit, miss or use`() throws {
        let cache = MemoryCache(byteLimit: .max, countLimit: 3)
        let url = try ImageURL(parsing: "http://a.example/a", origin: .local)
        for side in [10, 30, 20] { cache.insert(image(side), for: try key("a", side)) }

        let found = cache.anyImage(for: url)

        #expect(found?.pixels.size.width == 30)
        #expect(cache.statistics.hits + cache.statistics.misses == 0)
        cache.insert(image(), for: try key("b"))
        cache.insert(image(), for: try key("c"))
        #expect(cache.anyImage(for: url)?.pixels.size.width == 20)
        cache.insert(image(), for: try key("d"))
        #expect(cache.anyImage(for: url) == nil)
    }

    @Test func `clearing returns what it freed and keeps the counters (C19)`() throws {
        let cache = MemoryCache(byteLimit: 1 << 20)
        for name in ["a", "b"] { cache.insert(image(), for: try key(name)) }
        _ = cache.image(for: try key("a"))
        _ = cache.image(for: try key("x"))

        let freed = cache.removeAll()

        #expect(freed.entryCount == 2)
        #expect(freed.byteCount == 2 * (try unit()))
        let rest = cache.statistics
        #expect(rest.entryCount == 0)
        #expect(rest.byteCount == 0)
        #expect(rest.hits == 1)
        #expect(rest.misses == 1)
        #expect(rest.evictions == 0)
    }

    @Test func `an empty image can be kept`() throws {
        let cache = MemoryCache(byteLimit: 1 << 20)

        cache.insert(image(0), for: try key("a"))

        #expect(cache.image(for: try key("a")) != nil)
    }
}

struct LeastRecentlyUsedTests {
    /// A naive model of `LeastRecentlyUsed`: a list, oldest first.
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
        for step in 0..<PropertyRuns.count(10_000) {
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
