import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Limits of the memory cache that change while it is used, and times to live.
struct MemoryCacheLimitTests {
    private let clock = ManualClock()
    private let unit = MemoryStore.cost(of: .square(), for: .named("a"))

    private func cache(timeToLive: Duration? = nil, byteLimit: Int = .max) -> MemoryCache {
        MemoryCache(byteLimit: byteLimit, timeToLive: timeToLive, clock: clock.clock)
    }

    private func fill(_ cache: MemoryCache, _ names: [String]) {
        for name in names { cache.insert(.square(), for: .named(name)) }
    }

    // MARK: Presence

    @Test func `an image is present only at its own size, and checking is not counted`() {
        let cache = cache()
        let key = ImageKey.named("a")
        cache.insert(.square(), for: key)

        #expect(cache.contains(key))
        #expect(!cache.contains(.named("b")))
        let before = cache.statistics
        #expect(before.hits == 0 && before.misses == 0)
    }

    @Test func `an evicted image that is still shown is present`() {
        let cache = cache(byteLimit: unit)
        var shown: DecodedImage? = .square(shade: 1)
        if let shown { cache.insert(shown, for: .named("a")) }
        fill(cache, ["b"])

        #expect(cache.contains(.named("a")))
        shown = nil
        #expect(!cache.contains(.named("a")))
    }

    @Test func `removing one size leaves the others`() throws {
        let cache = cache()
        let url = try ImageURL(parsing: "http://a.example/a", origin: .local)
        let keys = [10, 20].map {
            ImageKey(url: url, targetSize: PixelSize(width: $0, height: $0))
        }
        for key in keys { cache.insert(.square(), for: key) }

        cache.remove(keys[0])

        #expect(!cache.contains(keys[0]))
        #expect(cache.contains(keys[1]))
        #expect(cache.statistics.byteCount == unit)
    }

    // MARK: Limits

    @Test func `a lower limit of bytes applies when its setter returns`() {
        let cache = cache()
        fill(cache, ["a", "b", "c"])

        cache.byteLimit = 2 * unit

        #expect(cache.byteLimit == 2 * unit)
        #expect(cache.statistics.byteLimit == 2 * unit)
        #expect(cache.statistics.byteCount == 2 * unit)
        #expect(cache.statistics.evictions == 1)
        #expect(!cache.contains(.named("a")))
    }

    @Test func `a lower limit of images applies when its setter returns`() {
        let cache = cache()
        fill(cache, ["a", "b", "c"])

        cache.countLimit = 1

        #expect(cache.countLimit == 1)
        #expect(cache.statistics.entryCount == 1)
        #expect(cache.contains(.named("c")))
    }

    @Test func `a limit set to 0 empties the cache, and a higher one fills it again`() {
        let cache = cache()
        let shown = DecodedImage.square(shade: 1)
        cache.insert(shown, for: .named("shown"))
        fill(cache, ["a"])

        cache.byteLimit = 0
        fill(cache, ["b"])

        #expect(cache.statistics.entryCount == 0)
        #expect(!cache.contains(.named("shown")))
        cache.byteLimit = .max
        fill(cache, ["c"])
        #expect(cache.contains(.named("c")))
        withExtendedLifetime(shown) {}
    }

    // MARK: Time to live

    @Test func `an image is found until it expires, however often it is used`() {
        let cache = cache(timeToLive: .seconds(10))
        fill(cache, ["a"])

        clock.advance(by: .seconds(9))
        #expect(cache.image(for: .named("a")) != nil)
        clock.advance(by: .milliseconds(999))
        #expect(cache.contains(.named("a")))
        clock.advance(by: .milliseconds(1))

        #expect(!cache.contains(.named("a")))
        #expect(cache.image(for: .named("a")) == nil)
        #expect(cache.statistics.misses == 1)
    }

    @Test func `expired images are freed automatically`() {
        let cache = cache(timeToLive: .seconds(10))
        let held: WeakPixelBuffer
        do {
            let image = DecodedImage.square()
            held = WeakPixelBuffer(image.pixels)
            cache.insert(image, for: .named("a"))
        }
        #expect(held.buffer != nil)

        clock.advance(by: .seconds(10))

        #expect(held.buffer == nil)
        #expect(cache.statistics.entryCount == 0)
        #expect(cache.statistics.byteCount == 0)
        #expect(cache.statistics.evictions == 0)
        #expect(clock.alarmCount == 0)
    }

    @Test func `an expired image is not found again while it is shown`() {
        let cache = cache(timeToLive: .seconds(10), byteLimit: unit)
        let shown = DecodedImage.square(shade: 1)
        cache.insert(shown, for: .named("a"))
        fill(cache, ["b"])

        clock.advance(by: .seconds(10))

        #expect(cache.image(for: .named("a")) == nil)
        withExtendedLifetime(shown) {}
    }

    @Test func `an image's own time to live replaces the cache's`() {
        let cache = cache(timeToLive: .seconds(10))
        fill(cache, ["usual"])
        cache.insert(.square(), for: .named("short"), timeToLive: .seconds(1))
        cache.insert(.square(), for: .named("long"), timeToLive: .seconds(100))

        clock.advance(by: .seconds(1))
        #expect(!cache.contains(.named("short")))
        #expect(cache.statistics.entryCount == 2)
        clock.advance(by: .seconds(9))
        #expect(!cache.contains(.named("usual")))
        clock.advance(by: .seconds(89))
        #expect(cache.contains(.named("long")))
        clock.advance(by: .seconds(1))
        #expect(cache.statistics.entryCount == 0)
    }

    @Test func `one image may expire in a cache that has no time to live`() {
        let cache = cache()
        fill(cache, ["a"])
        cache.insert(.square(), for: .named("b"), timeToLive: .seconds(1))

        clock.advance(by: .seconds(1))

        #expect(cache.contains(.named("a")))
        #expect(cache.image(for: .named("b")) == nil)
        #expect(cache.anyImage(for: url("b")) == nil)
    }

    @Test func `a time to live that is set later applies to existing images`() {
        let cache = cache()
        fill(cache, ["old"])
        clock.advance(by: .seconds(5))
        fill(cache, ["new"])
        clock.advance(by: .seconds(5))

        cache.timeToLive = .seconds(8)

        #expect(cache.timeToLive == .seconds(8))
        #expect(cache.statistics.entryCount == 1)
        clock.advance(by: .seconds(3))
        #expect(cache.statistics.entryCount == 0)
    }

    @Test func `removing the time to live keeps all images`() {
        let cache = cache(timeToLive: .seconds(10))
        fill(cache, ["a"])

        cache.timeToLive = nil
        clock.advance(by: .seconds(1_000_000))

        #expect(cache.contains(.named("a")))
        #expect(clock.alarmCount == 0)
    }

    @Test func `a replaced image gets a new time to live`() {
        let cache = cache(timeToLive: .seconds(10))
        fill(cache, ["a"])
        clock.advance(by: .seconds(9))
        fill(cache, ["a"])

        clock.advance(by: .seconds(9))
        #expect(cache.contains(.named("a")))
        clock.advance(by: .seconds(1))
        #expect(cache.statistics.entryCount == 0)
    }

    @Test func `a huge time to live never ends, and a time to live of 0 ends immediately`() {
        let cache = cache()
        cache.insert(.square(), for: .named("a"), timeToLive: .seconds(Int64.max))
        cache.insert(.square(), for: .named("b"), timeToLive: .zero)

        #expect(!cache.contains(.named("b")))
        clock.advance(by: .seconds(1_000_000_000))
        #expect(cache.contains(.named("a")))
    }

    @Test func `many expiries in one second take two sweeps at most`() {
        let cache = cache()
        for number in 0..<100 {
            cache.insert(
                .square(),
                for: .named("\(number)"),
                timeToLive: .seconds(10) + .milliseconds(number)
            )
        }
        #expect(clock.alarmCount == 1)

        clock.advance(by: .seconds(12))

        #expect(cache.statistics.entryCount == 0)
        #expect(clock.alarmCount == 0)
    }

    private func url(_ name: String) -> ImageURL {
        guard let url = try? ImageURL(parsing: "http://a.example/\(name)", origin: .local) else {
            preconditionFailure("a name that makes no URL")
        }
        return url
    }
}
