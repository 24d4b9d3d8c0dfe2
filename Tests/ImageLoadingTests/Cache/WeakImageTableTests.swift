import Decoders
import Testing

@testable import ImageLoading

/// A picture that some cell still shows is not decoded again (row F25).
@Suite struct WeakImageTableTests {
    private let unit = MemoryStore.cost(of: .square(), for: .named("a"))

    // F25
    @Test func `an image that was evicted while it is shown is found without decoding`() {
        let cache = MemoryCache(byteLimit: unit)
        let shown = DecodedImage.square(shade: 1)
        cache.insert(shown, for: .named("a"))

        cache.insert(.square(shade: 2), for: .named("b"))

        #expect(cache.statistics.entryCount == 1)
        #expect(cache.image(for: .named("a")) == shown)
        #expect(cache.statistics.hits == 1)
    }

    // F25
    @Test func `an evicted image that is not shown is a miss`() {
        let cache = MemoryCache(byteLimit: unit)
        cache.insert(.square(), for: .named("a"))

        cache.insert(.square(), for: .named("b"))

        #expect(cache.image(for: .named("a")) == nil)
        #expect(cache.statistics.misses == 1)
    }

    // F25
    @Test func `an image that was purged is found until its last holder releases it`() {
        let cache = MemoryCache(byteLimit: 1 << 20)
        var shown: PixelBuffer? = DecodedImage.square(shade: 1).pixels
        if let shown { cache.insert(.of(shown), for: .named("a")) }
        cache.trim(toByteCount: 0)
        #expect(cache.statistics.entryCount == 0)

        let found = cache.image(for: .named("a"))?.pixels == shown
        cache.trim(toByteCount: 0)
        shown = nil

        #expect(found)
        #expect(cache.image(for: .named("a")) == nil)
    }

    @Test func `an image found on screen is back in the cache, and pushes older ones out`() {
        let cache = MemoryCache(byteLimit: unit)
        let shown = DecodedImage.square(shade: 1)
        cache.insert(shown, for: .named("a"))
        cache.insert(.square(), for: .named("b"))

        _ = cache.image(for: .named("a"))

        #expect(cache.statistics.entryCount == 1)
        #expect(cache.statistics.byteCount == unit)
        #expect(cache.image(for: .named("b")) == nil)
        #expect(cache.image(for: .named("a")) == shown)
    }

    @Test func `an image larger than the whole budget is found while it is shown`() {
        let cache = MemoryCache(byteLimit: unit)
        let large = DecodedImage.square(100)

        cache.insert(large, for: .named("a"))

        #expect(cache.image(for: .named("a")) == large)
        #expect(cache.statistics.byteCount == 0)
    }

    @Test func `cleared or removed images stay gone, shown or not (C17, C19)`() throws {
        let cache = MemoryCache(byteLimit: unit)
        let shown = [DecodedImage.square(shade: 1), .square(shade: 2)]
        for (name, image) in zip(["a", "b"], shown) { cache.insert(image, for: .named(name)) }

        cache.remove(try ImageURL(parsing: "http://a.example/a", origin: .local))
        let removed = cache.image(for: .named("a"))
        cache.trim(toByteCount: 0)
        cache.removeAll()

        #expect(removed == nil)
        #expect(cache.image(for: .named("b")) == nil)
        withExtendedLifetime(shown) {}
    }

    @Test func `a newer image takes the place of the one on screen`() {
        let cache = MemoryCache(byteLimit: unit)
        let shown = DecodedImage.square(shade: 1)
        cache.insert(shown, for: .named("a"))
        cache.trim(toByteCount: 0)

        cache.insert(.square(shade: 2), for: .named("a"))
        cache.trim(toByteCount: 0)

        #expect(cache.image(for: .named("a")) == nil)
        withExtendedLifetime(shown) {}
    }

    @Test func `entries whose image is gone are swept`() {
        var table = WeakImageTable()
        let life = MemoryStore.Life(start: .zero)
        let shown = DecodedImage.square(shade: 1)
        table.add(shown, for: .named("shown"), life)

        for number in 0..<10_000 { table.add(.square(), for: .named("\(number)"), life) }

        #expect(table.count <= WeakImageTable.leastSweepCount)
        #expect(table.take(.named("shown"))?.image == shown)
    }

    @Test func `trimming keeps the newest that fit, and does not count as eviction`() {
        let cache = MemoryCache(byteLimit: 1 << 20)
        for name in ["a", "b", "c", "d"] { cache.insert(.square(), for: .named(name)) }

        let gone = cache.trim(toByteCount: 2 * unit + unit / 2)

        #expect(gone.entryCount == 2)
        #expect(gone.byteCount == 2 * unit)
        #expect(cache.statistics.evictions == 0)
        for name in ["c", "d"] { #expect(cache.image(for: .named(name)) != nil) }
    }

    // F29 applies to clearing; a purge does not discard the results of running loads.
    @Test func `a load that was running during a purge is kept`() {
        let cache = MemoryCache(byteLimit: 1 << 20)
        let begun = cache.generation

        cache.trim(toByteCount: 0)
        cache.insert(.square(), for: .named("a"), begun: begun)

        #expect(cache.image(for: .named("a")) != nil)
    }
}
