@testable import Feeds
import Glibc
@testable import ImageLoading
import Testing

@Suite struct ArchivedFileTests {
    private let stamp = "1-2-3-4"
    private let sources = ArchiveSources.all()

    /// Parses a URL as for a request, which asks the source for the location of the image.
    private func location(
        _ url: String,
        _ origin: RequestOrigin = .local
    ) throws -> ImageDataLocation {
        let url = try ImageURL(parsing: url, origin: origin, sources: sources)
        return try #require(sources[url.scheme.text]).location(of: url)
    }

    @Test func `an archive URL is parsed into the parts it was made of`() throws {
        let archive = Array("/a b!/c%?.tar".utf8) + [0xE9]
        let name = Array("x!/y?&.jpg".utf8) + [0xFF]
        for place in [
            ArchivedFile.Place.plain(offset: 512),
            .zip(header: 7, deflatedByteCount: nil, crc32: nil),
            .zip(header: 0, deflatedByteCount: 9, crc32: .max),
        ] {
            let url =
                ArchivedFile.prefix(ofArchive: archive)
                + ArchivedFile.reference(name: name, byteCount: 12, place: place)
                + ArchivedFile.suffix(try #require(ArchiveStamp(stamp)))
            let file = try #require(ArchivedFile(url: url))

            #expect(file.archive == archive && file.name == name)
            #expect(file.place == place && file.byteCount == 12)
            guard case .local(let data) = try location(url) else {
                Issue.record("not a local image")
                continue
            }
            #expect(data as? ArchivedFile == file)
        }
    }

    @Test(arguments: [
        "archive:///a.tar!/b?p0-1&1-2-3", "archive:///a.tar!/b?p0&1-2-3-4",
        "archive:///a.tar/b?p0-1&1-2-3-4", "archive://a.tar!/b?p0-1&1-2-3-4",
        "archive:///a.tar!/b?p-1-1&1-2-3-4", "archive:///a.tar!/b?q0-1&1-2-3-4",
        "archive:///a%00.tar!/b?p0-1&1-2-3-4",
        "archive:///a.tar!/b?p0-99999999999999999999&1-2-3-4",
        "archive:///a.tar!/b?p0-1&1-2-3-4&x", "archive:/a.tar",
    ])
    func `a URL without a position is not an archive URL`(url: String) {
        #expect(ArchivedFile(url: url) == nil)
        #expect(throws: ImageLoadingError.self) { try location(url) }
    }

    @Test func `a feed from the network names no archive of this machine`() {
        let url = "archive:///a.tar!/b?p0-1&1-2-3-4"
        for origin in [RequestOrigin.remoteFeed, .privateFeed] {
            #expect(throws: ImageLoadingError.self) { try location(url, origin) }
        }
    }

    @Test func `an archive on a server has its URL in the URLs of its files`() throws {
        let prefix = try #require(RemoteArchivedFile.prefix(ofArchive: "https://h/a!b.zip"))
        let suffix = RemoteArchivedFile.suffix("\"v&1\"", archiveByteCount: 900)
        let url = prefix + "x.jpg?d100-50-20" + suffix
        let file = try #require(RemoteArchivedFile(url: url))

        #expect(file.archive == "https://h/a!b.zip" && file.validator == "\"v&1\"")
        #expect(file.archiveByteCount == 900)
        #expect(file.range.lowerBound == 100 && file.range.count > 50)
        let parsed = try ImageURL(
            parsing: url,
            origin: .remoteFeed,
            sources: sources
        )
        #expect(parsed.host == "h" && parsed.absoluteString == url)
        #expect(RemoteArchivedFile.prefix(ofArchive: "https://h/a.zip?secret") == nil)
        #expect(RemoteArchivedFile(url: "archive+file:///etc!/x?p0-1&") == nil)
    }

    // MARK: Taking a file out of a part

    private func events(
        _ place: ArchivedFile.Place,
        byteCount: Int,
        _ bytes: [UInt8],
        status: Int = 206,
        pieceByteCount: Int = 1
    ) throws -> (body: [UInt8], status: Int?, error: ImageLoadingError?, hasEnded: Bool) {
        let url =
            "archive+http://h/a!/"
            + ArchivedFile.reference(name: [0x61], byteCount: byteCount, place: place)
            + "&"
        let file = try #require(RemoteArchivedFile(url: url))
        var extraction = PartExtraction(file.part)
        let range =
            "bytes \(file.range.lowerBound)-\(file.range.lowerBound + bytes.count - 1)/100000"
        let head = TransferHead(
            status: status,
            expectedByteCount: bytes.count,
            headers: ["content-range": range]
        )
        var told = extraction.take(.head(head))
        for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
            let end = min(bytes.count, start + pieceByteCount)
            told += extraction.take(.chunk(Array(bytes[start..<end])))
        }
        told += extraction.take(.finished(nil))
        var (body, found, failure, hasEnded): ([UInt8], Int?, ImageLoadingError?, Bool) =
            ([], nil, nil, false)
        for event in told {
            #expect(!hasEnded)
            switch event {
            case .head(let head): found = head.status
            case .chunk(let bytes): body += bytes
            case .finished(let error): (failure, hasEnded) = (error, true)
            }
        }
        return (body, found, failure, hasEnded)
    }

    private let localHeader: [UInt8] =
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [1, 0, 2, 0] + [0x61, 9, 9]

    @Test func `the file is extracted whole and alone, in pieces of any size`() throws {
        let content = Array("content".utf8)
        for pieceByteCount in [1, 5, 100] {
            let stored = try events(
                .zip(header: 10, deflatedByteCount: nil, crc32: nil),
                byteCount: 7,
                localHeader + content + [1, 2, 3],
                pieceByteCount: pieceByteCount
            )
            #expect(stored.body == content && stored.status == 200 && stored.error == nil)
            #expect(stored.hasEnded)
            let plain = try events(
                .plain(offset: 3),
                byteCount: 7,
                content,
                pieceByteCount: pieceByteCount
            )
            #expect(plain.body == content && plain.error == nil)
        }
    }

    // 0xFEC5_30A9 is what Python's zlib.crc32(b"content") returns.
    @Test func `a file whose checksum differs from the directory's is damaged`() throws {
        for (crc32, isWhole) in [(0xFEC5_30A9, true), (0, false)] as [(UInt32, Bool)] {
            let file = try events(
                .zip(header: 10, deflatedByteCount: nil, crc32: crc32),
                byteCount: 7,
                localHeader + Array("content".utf8)
            )
            #expect((file.error == nil) == isWhole)
        }
    }

    @Test func `a part that is short, a whole archive and another file are errors`() throws {
        let short = try events(.plain(offset: 0), byteCount: 9, [1, 2])
        #expect(short.error != nil && short.hasEnded)
        let whole = try events(.plain(offset: 0), byteCount: 2, [1, 2], status: 200)
        #expect(whole.body.isEmpty && whole.error != nil && whole.hasEnded)
        let other = try events(
            .zip(header: 0, deflatedByteCount: 5, crc32: nil),
            byteCount: 5,
            localHeader + [1, 2, 3, 4, 5]
        )
        #expect(other.error != nil)
        // The response of a failure is passed on unchanged.
        let missing = try events(.plain(offset: 0), byteCount: 2, [1, 2], status: 404)
        #expect(missing.status == 404 && missing.error == nil)
    }
}
