import Decoders
import Glibc
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Kept thumbnails as files of the disk cache.
extension KeptThumbnailTests {
    // MARK: Damage

    @Test func `a torn, foreign or damaged thumbnail costs a decode, and is replaced`() async throws
    {
        let whole = try await see().image
        let path = "\(bench.directory)/\(try #require(thumbnails.first))"
        let damages: [(Int32) -> Void] = [
            { ftruncate($0, 0) }, { ftruncate($0, 20) }, { pwrite($0, [9], 1, 0) },
            { pwrite($0, [9], 1, 100) }, { FileAttribute.remove(from: $0) },
            { ftruncate($0, 100 << 20) },
        ]
        for damage in damages {
            let file = open(path, O_RDWR)
            try #require(file >= 0)
            damage(file)
            close(file)
            let harness = process()

            let response = try await harness.load(request()).result().get()

            #expect(response.image == whole)
            #expect(decodeCount(harness) == 1)
            await harness.manager.flush()
            let later = process()
            _ = try await later.load(request()).result().get()
            #expect(decodeCount(later) == 0)
        }
    }

    @Test func `a valid thumbnail of another image, in its place, is not shown`() async throws {
        try await see()
        var other = request()
        other.url = "http://a.example/2.png"
        let wide = PatternDecoder.bytes(width: 60, height: 6) + Array(repeating: 1, count: 6_000)
        try await see(other, bytes: wide)
        let names = thumbnails
        try #require(names.count == 2)
        let paths = names.map { "\(bench.directory)/\($0)" }
        let aside = bench.root + "/aside"
        for (from, to) in [(paths[0], aside), (paths[1], paths[0]), (aside, paths[1])] {
            try #require(rename(from, to) == 0)
        }
        let harness = process()

        let response = try await harness.load(request()).result().get()

        #expect(response.image.properties.size == PixelSize(width: 40, height: 20))
        #expect(decodeCount(harness) == 1)
    }

    // MARK: The disk cache's own

    @Test func `thumbnails count in the budget, and leave with all else`() async throws {
        try await see()
        let cache = await bench.cache()
        #expect(cache.statistics.entryCount == 2)
        #expect(cache.statistics.pictureCount == 1)
        #expect(cache.statistics.byteCount == (try bench.entryByteCount()))

        let freed = await cache.clear()
        #expect(freed.entryCount == 2 && freed.pictureCount == 1)
        #expect(bench.bodyNames().isEmpty)
        #expect(cache.statistics.byteCount == 0 && cache.statistics.thumbnailCount == 0)
    }

    @Test func `a thumbnail that was not used for a week is deleted`() async throws {
        try await see()
        for name in bench.bodyNames() { bench.setAge(700_000, of: "\(bench.directory)/\(name)") }

        let cache = await bench.cache(maximumAge: .seconds(604_800))

        #expect(await cache.clean().entryCount == 2)
    }

    @Test func `removing an image removes its thumbnails`() async throws {
        try await see()

        try await process().manager.removeCached(request())

        #expect(bench.bodyNames().isEmpty)
    }

    @Test func `thumbnails being written when the cache was cleared are not stored`() async throws {
        let harness = process()
        answer(harness, forever)
        let generation = harness.manager.engine.cache.disk?.generation
        let response = try await harness.load(request()).result().get()
        await harness.manager.flush()
        await harness.manager.clearDisk()
        let key = try harness.manager.engine.resolver.key(for: request())
        harness.manager.engine.cache.disk?.store(pattern, for: key.url)

        harness.manager.engine.thumbnails?.keep(
            response.image,
            for: key.image,
            of: key.url,
            madeFrom: .body(pattern),
            begun: generation
        )
        await harness.manager.flush()

        #expect(thumbnails.isEmpty)
    }

    @Test func `two processes that load the same image show the same`() async throws {
        let both = [process(), process()]
        for harness in both { answer(harness, forever) }
        for harness in both { _ = try await harness.load(request()).result().get() }
        for harness in both { await harness.manager.flush() }
        #expect(thumbnails.count == 1)

        let response = try await see()

        #expect(response.source == .disk)
    }
}
