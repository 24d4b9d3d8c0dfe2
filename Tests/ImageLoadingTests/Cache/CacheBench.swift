import Foundation
import SystemSupport
import Testing

@testable import ImageLoading

/// A directory and a clock for the disk cache of one test; the directory is deleted with this
/// object.
final class CacheBench: Sendable {
    let root: String
    let clock = TestClock()

    init() throws {
        root = NSTemporaryDirectory() + "/disk-cache-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: root,
            withIntermediateDirectories: true
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    /// The directory of the cache, which does not exist at first.
    var directory: String { root + "/cache/termgallery" }

    /// Returns a cache of the directory after its scan has ended.
    func cache(
        byteLimit: Int = .max,
        maximumAge: Duration? = nil,
        durability: DiskDurability = .whenConvenient,
        calls: FileCalls = FileCalls()
    ) async -> DiskCache {
        var configuration = DiskCacheConfiguration(
            directory: directory,
            byteLimit: byteLimit,
            maximumAge: maximumAge
        )
        configuration.durability = durability
        let cache = DiskCache(
            configuration: configuration,
            clock: clock.clock,
            tracer: .silent,
            calls: calls
        )
        await cache.waitForScan()
        return cache
    }

    func url(_ name: String) throws -> ImageURL {
        try ImageURL(parsing: "http://a.example/\(name)", origin: .local)
    }

    func path(_ name: String) throws -> String {
        "\(directory)/\(CacheFileName.name(for: try url(name)))"
    }

    /// Writes a file to the directory, as another process would.
    func plant(_ bytes: [UInt8], as fileName: String, age: Int = 0) throws {
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        let path = "\(directory)/\(fileName)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        setAge(age, of: path)
    }

    /// Writes a body with its record to the directory.
    func plant(_ bytes: [UInt8], for name: String, age: Int = 0) throws {
        let key = DiskKey(try url(name), naming: .md5)
        try plant(bytes, as: key.file.description, age: age)
        let record = EntryRecord(of: DiskEntry(bytes: bytes), owner: key.owner).encoded()
        let path = try path(name)
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        try FileCalls().setAttribute(file, record)
        setAge(age, of: path)
    }

    /// Writes a body without its record to the directory.
    func plantWithoutRecord(_ bytes: [UInt8], for name: String) throws {
        try plant(bytes, as: CacheFileName.name(for: try url(name)))
    }

    func setAge(_ age: Int, of path: String) {
        let time = timespec(tv_sec: clock.now - age, tv_nsec: 0)
        utimensat(AT_FDCWD, path, [time, time], 0)
    }

    func age(of name: String) throws -> Int {
        clock.now - (try FileStatus.of(try path(name))).modified
    }

    /// Returns the names of all files except the lock file, which every process leaves behind.
    func fileNames() -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
            .subtracting([LockFile.name])
    }

    func exists(_ name: String) throws -> Bool {
        fileNames().contains(CacheFileName.name(for: try url(name)))
    }

    /// Returns the size of a file of 4,096 bytes on this file system; call it before anything is
    /// stored.
    func blockByteCount() throws -> Int {
        try plant(body(4_096), for: "probe")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try allocatedByteCount()
    }

    /// Returns the allocated size of all bodies according to `stat`.
    func allocatedByteCount() throws -> Int {
        try fileNames().filter { CacheFileName(parsing: $0) != nil }.reduce(0) {
            $0 + (try FileStatus.of("\(directory)/\($1)")).allocatedByteCount
        }
    }
}

/// Returns a body of a given length, different for each seed.
func body(_ count: Int, seed: UInt8 = 7) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) &+ seed }
}

/// A clock that advances only when told to.
final class TestClock: Sendable {
    private let seconds: Protected<Int>

    init(_ seconds: Int = 1_700_000_000) {
        self.seconds = Protected(seconds)
    }

    var now: Int { seconds.withLock { $0 } }

    func advance(by interval: Int) {
        seconds.withLock { $0 += interval }
    }

    var clock: LoadingClock {
        LoadingClock(uptime: { .seconds(self.now) }, wallTime: { self.now })
    }
}
