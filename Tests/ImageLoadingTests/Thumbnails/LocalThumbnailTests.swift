import Decoders
import Glibc
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// Thumbnails of files on this machine.
struct LocalThumbnailTests {
    private let bench: CacheBench
    private let path: String
    private let wide =
        PatternDecoder.bytes(width: 40, height: 20) + Array(repeating: 1, count: 5_000)
    private let tall =
        PatternDecoder.bytes(width: 20, height: 40) + Array(repeating: 1, count: 5_000)
    private let tallSize = PixelSize(width: 20, height: 40)

    init() throws {
        bench = try CacheBench()
        path = bench.root + "/picture with ü.png"
        try bench.write(wide, to: path)
    }

    /// Simulates a process that loads the file; returns its full size and whether it was decoded.
    @discardableResult
    private func see(
        _ path: String? = nil,
        _ options: LoadingOptions = .keptThumbnails,
        wallTime: Int = 1_000_000_000
    ) async throws -> (size: PixelSize, isDecoded: Bool) {
        let harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: bench.directory)
        )
        harness.clock.setWallTime(wallTime)
        let request = ImageRequest(
            url: try #require(ImageURL(filePath: path ?? self.path)).absoluteString,
            targetSize: PixelSize(width: 10, height: 10),
            options: options
        )
        let response = try await harness.load(request).result().get()
        await harness.manager.flush()
        #expect(response.source == .disk && response.byteCount > 0)
        let count = harness.manager.statistics.decodeTimes.count
        return (response.image.properties.size, count > 0)
    }

    private var thumbnails: [String] { bench.bodyNames().filter { $0.hasPrefix("thumb-") } }

    /// Gives a file the times of another moment, as `touch -d` does.
    private func setTimes(_ seconds: Int, nanoseconds: Int = 0) {
        let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        utimensat(AT_FDCWD, path, [time, time], 0)
    }

    @Test func `a file shown before is shown without a decode`() async throws {
        #expect(try await see().isDecoded)

        #expect(try await !see().isDecoded)
        #expect(thumbnails.count == 1)
    }

    @Test func `a link to it is the same file`() async throws {
        try await see()
        let link = bench.root + "/link.png"
        symlink(path, link)

        #expect(try await !see(link).isDecoded)
    }

    @Test func `a file rewritten with the same length within the same second is another one`()
        async throws
    {
        setTimes(1_500_000_000, nanoseconds: 1)
        try await see()

        try bench.write(tall, to: path)
        setTimes(1_500_000_000, nanoseconds: 2)

        let second = try await see()
        #expect(second.size == tallSize && second.isDecoded)
        #expect(thumbnails.count == 1, "the new one took the place of the old")
        #expect(try await !see().isDecoded)
    }

    @Test func `a file whose time of writing was set back is another one`() async throws {
        setTimes(1_500_000_000)
        try await see()

        try bench.write(tall, to: path)
        setTimes(1_500_000_000)

        #expect(try await see().size == tallSize)
    }

    @Test func `a file that replaced it is another one`() async throws {
        try await see()
        try bench.write(tall, to: path + ".new")
        rename(path + ".new", path)

        #expect(try await see().size == tallSize)
        #expect(try await see() == (tallSize, false))
    }

    @Test func `a thumbnail of a file changed a moment ago is not stored, as it may change again`()
        async throws
    {
        let now = try FileStatus.of(path).modified

        try await see(wallTime: now)
        try await see(wallTime: now + 2)
        #expect(thumbnails.isEmpty)

        try await see(wallTime: now + 3)
        #expect(thumbnails.count == 1)
    }

    @Test func `a deleted file is not shown`() async throws {
        try await see()
        unlink(path)

        await #expect(throws: ImageLoadingError.self) { try await see() }
    }

    @Test func `without the options nothing is stored or looked up`() async throws {
        try await see(nil, [])
        #expect(bench.bodyNames().isEmpty)
        try await see()

        #expect(try await see(nil, []).isDecoded)
        #expect(try await see(nil, [.keptThumbnails, .fromLoaderOnly]).isDecoded)
    }

    @Test func `a file of a few kilobytes is decoded each time, and nothing is stored`()
        async throws
    {
        try bench.write(Array(wide.prefix(4_096)), to: path)

        try await see()

        #expect(bench.bodyNames().isEmpty)
    }

    @Test func `showing files again does not scan the directory`() async throws {
        try await see()
        let harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        let request = ImageRequest(
            url: try #require(ImageURL(filePath: path)).absoluteString,
            targetSize: PixelSize(width: 10, height: 10),
            options: .keptThumbnails
        )

        _ = try await harness.load(request).result().get()

        let disk = try #require(harness.manager.engine.cache.disk)
        #expect(disk.state.withLock { !$0.isInUse })
    }
}
