import FeedContracts
import FeedHarness
import GalleryCore
import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

/// Archives that are replaced on their server after their directory was read.
@Suite struct ChangedArchiveTests {
    private let bench = ArchiveBench()
    private let picture = LoadingHarness.picture
    private let url = "http://h.example/s.zip"
    private var requestCount: Int { bench.harness.transport.record.starts.count }

    /// Reads an archive with two images, of which the second is at another place in `newer`.
    private func older(version: String? = "v1") async throws -> Feed {
        bench.serve(older, version: version)
        return try await bench.read(.remote(url)).get()
    }

    private var older: [UInt8] { SampleArchive.zip([("a.png", [1]), ("b.png", [2])]) }
    private var newer: [UInt8] {
        SampleArchive.zip([("0.txt", [0, 0, 0]), ("a.png", picture), ("b.png", picture)])
    }

    // The server ignores `If-Range`; it honors it; another server without validators answers.
    @Test(arguments: [("v2", false), ("v2", true), (nil, false)])
    func `members are read from the present version after one reopening`(
        version: String?,
        honorsIfRange: Bool
    ) async throws {
        let feed = try await older()
        bench.serve(newer, honorsIfRange: honorsIfRange, version: version)

        let before = requestCount
        try await bench.load(feed[0], .remoteFeed)
        // The outdated part, the directory, and the present part.
        #expect(requestCount == before + 3)
        try await bench.load(feed[1], .remoteFeed)
        #expect(requestCount == before + 5)
    }

    @Test func `a change that only the length shows is noticed`() async throws {
        let feed = try await older(version: nil)
        bench.serve(newer, version: nil)

        try await bench.load(feed[0], .remoteFeed)
    }

    @Test func `a range beyond the end of the present version is a change`() async throws {
        let long = SampleArchive.tar([
            ("0.png", [UInt8](repeating: 0, count: 9000)), ("a.png", [1]),
        ])
        bench.serve(long, version: nil)
        let feed = try await bench.read(.remote("http://h.example/s.tar")).get()
        bench.serve(SampleArchive.tar([("a.png", picture)]), version: nil)

        try await bench.load(feed[1], .remoteFeed)
    }

    @Test func `a member that the present version lacks fails with the reason`() async throws {
        let feed = try await older()
        bench.serve(SampleArchive.zip([("a.png", picture)]), version: "v2")

        let reason = await bench.reason(feed[1])

        #expect(reason.contains("no longer contains the file"))
        try await bench.load(feed[0], .remoteFeed)
    }

    @Test func `an archive that changes each time fails after one reopening`() async throws {
        let feed = try await older()
        let count = Protected(1)
        bench.serve(newer) { "v\(count.withLock { $0 += 1; return $0 })" }

        let before = requestCount
        #expect(await bench.reason(feed[0]).hasPrefix("the archive has changed on its server"))
        #expect(requestCount == before + 3)
        #expect(await bench.reason(feed[1]).hasPrefix("the archive has changed on its server"))
        #expect(requestCount == before + 5)
    }

    @Test func `a server that no longer sends parts fails with the reason`() async throws {
        let feed = try await older()
        bench.serve(newer, sendsParts: false)

        #expect(await bench.reason(feed[0]).hasPrefix("the archive has changed on its server"))
    }

    @Test func `a directory that changes while it is read is read again once`() async throws {
        let names = (0..<4_000).map { "\($0).png" }
        let archive = SampleArchive.zip(names.map { (name: $0, content: [1]) })
        let count = Protected(0)
        func version(_ changes: Int) -> @Sendable () -> String? {
            { "v\(count.withLock { $0 += 1; return min($0, changes) })" }
        }
        bench.serve(archive, version: version(2))
        let feed = try await bench.read(.remote(url)).get()
        #expect(feed.count == 4_000)

        bench.serve(archive, version: version(.max))
        let failed = await bench.read(.remote("http://h.example/t.zip"))
        #expect(throws: FeedError.self) { try failed.get() }
    }

    @Test func `the body of another version is not stored on disk`() async throws {
        let cache = TestFolder()
        let disk = DiskCacheConfiguration(directory: cache.path + "/cache")
        let bench = ArchiveBench(harness: LoadingHarness(disk: disk))
        bench.serve(older)
        let feed = try await bench.read(.remote(url)).get()
        bench.serve(newer, version: "v2")

        try await bench.load(feed[0], .remoteFeed)
        await bench.harness.manager.flush()

        let request = ImageRequest(url: feed[0].url, origin: .remoteFeed)
        #expect(await bench.harness.manager.isOnDisk(request) == false)
    }
}
