import Decoders
import Testing

@testable import ImageLoading

/// The removal of processed images from the disk.
extension ProcessedImageTests {
    @Test func `removing the URL removes its images, also images of an earlier process`()
        async throws
    {
        _ = try await filled()
        let cache = DiskCache(
            configuration: DiskCacheConfiguration(directory: bench.directory),
            clock: bench.clock.clock
        )
        let others = await bench.cache()
        others.store(source, for: try bench.url("b"))
        try store(image(), in: others, for: try key("b"), name: "b")
        await others.flush()

        await cache.remove(try bench.url("a"))

        #expect(await cache.containsImage(for: try key("b"), of: try bench.url("b")))
        #expect(bench.bodyNames().count == 2)
    }

    @Test func `removing one image leaves the body and the other images`() async throws {
        let cache = try await filled()
        try store(image(side: 9), in: cache, for: try key("a", 9))

        await cache.removeImage(for: try key(), of: try bench.url("a"))

        #expect(try await found(in: cache) == nil)
        #expect(try await found(in: cache, try key("a", 9)) != nil)
        #expect(await cache.contains(try bench.url("a")))
    }

    @Test func `clearing removes images, also those being written`() async throws {
        let cache = try await filled()
        let begun = cache.generation

        let freed = await cache.clear()
        cache.storeImage(
            try #require(EncodedImage(image())),
            for: try key(),
            of: try bench.url("a"),
            madeFrom: ContentChecksum(of: source),
            begun: begun
        )
        await cache.flush()

        #expect(freed.entryCount == 2)
        #expect(imageFile() == nil)
    }

    @Test func `images count in the budget and are deleted with it`() async throws {
        let cache = try await filled()
        #expect(cache.statistics.byteCount == (try bench.entryByteCount()))

        cache.byteLimit = 1
        while cache.isBusy { await cache.flush() }

        #expect(imageFile() == nil)
        #expect(cache.statistics.byteCount == 0)
    }

    @Test func `a use of an image counts as a use of its body`() async throws {
        let cache = try await filled()
        for name in ["b", "c"] { cache.store(source, for: try bench.url(name)) }
        await cache.flush()
        bench.clock.advance(by: 10)
        _ = try await found(in: cache)

        cache.byteLimit = cache.statistics.byteCount - 1
        while cache.isBusy { await cache.flush() }

        #expect(await cache.contains(try bench.url("a")))
        #expect(await !cache.contains(try bench.url("b")))
        #expect(try await found(in: cache) != nil)
    }
}
