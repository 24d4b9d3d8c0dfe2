import FeedContracts
import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
import ImageLoadingTesting
@testable import Feeds
@testable import TermGallery
import Testing

@Suite struct ArchiveReaderTests {
    private let bench = ArchiveBench()
    private let folder = TestFolder()
    private let picture = LoadingHarness.picture

    private func fault(_ source: FeedSource) async -> String {
        guard case .failure(let error) = await bench.read(source) else { return "no fault" }
        return error.description
    }

    /// Archives as other programs write them.
    private func fixture(_ name: String) -> String {
        let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return (tests + ["FeedsTests/Documents/Fixtures/archives", Substring(name)])
            .joined(separator: "/")
    }

    @Test func `images in tar and zip are loaded from their position in the archive`() async throws
    {
        let files = [("a.png", picture), ("b/c.png", picture), ("b/notes.pdf", [1])]
        for (name, bytes) in [
            ("s.tar", SampleArchive.tar(files)), ("s.cbz", SampleArchive.zip(files)),
        ] {
            let feed = try await bench.read(.path(folder.add(name, bytes))).get()

            #expect(captions(feed) == ["a.png", "b/c.png"], "\(name)")
            #expect(feed.remark == "\(folder.path)/\(name): left out 1 PDF")
            for index in 0..<feed.count { try await bench.load(feed[index]) }
            #expect(bench.harness.transport.record.starts.isEmpty)
        }
    }

    @Test func `deflated members are inflated to their original bytes`() async throws {
        let feed = try await bench.read(.path(fixture("python.zip"))).get()
        let index = try #require((0..<feed.count).first { feed[$0].caption == "deflated.jpg" })

        let data = try await bench.harness.manager.data(for: ImageRequest(url: feed[index].url))

        let expected = Array(String(repeating: "abc", count: 1000).utf8)
        #expect(data.bytes == expected)
        let bzip2 = try #require((0..<feed.count).first { feed[$0].caption == "bzip2.jpg" })
        #expect(feed[bzip2].problem == "compressed with bzip2, which is not supported")
    }

    @Test func `a self-extracting zip is read by the directory at its end`() async throws {
        let zip = try bytes(fixture("python.zip"))
        for (name, program) in [("a.exe", "MZ\u{90}\0\u{3}"), ("a.run", "#!/bin/sh\nexit 1\n")] {
            let path = folder.add(name, Array(program.utf8) + zip)
            let feed = try await bench.read(.path(path)).get()
            let index = try #require((0..<feed.count).first { feed[$0].caption == "deflated.jpg" })

            let data = try await bench.harness.manager.data(for: ImageRequest(url: feed[index].url))

            #expect(data.bytes == Array(String(repeating: "abc", count: 1000).utf8))
        }
    }

    @Test func `names in a zip are read in the encoding that the user specifies`() async throws {
        let name: [UInt8] = [0x93, 0xFA] + Array(".png".utf8)
        let written = SampleArchive.zip([("ab.png", picture)])
        let bytes = written.replacing(Array("ab.png".utf8), with: name)
        let path = folder.add("s.zip", bytes)
        func read(_ encoding: FeedOptions.Encoding) async throws -> Feed {
            var options = FeedOptions()
            options.encoding = encoding
            let reader = FeedReader(manager: bench.harness.manager, options: options)
            return try await blocking {
                Result { () throws(FeedError) in try reader.read([.path(path)]) }
            }
            .get()
        }

        let feed = try await read(.cp932)

        #expect(captions(feed) == ["日.png"])
        try await bench.load(feed[0])
        #expect(try await captions(read(.automatic)) == ["ô·.png"])
    }

    @Test func `a script without a zip at its end is a list`() async throws {
        let path = folder.add("list.txt", Array("#!list\nhttp://h/a.png A\n".utf8))

        #expect(try await captions(bench.read(.path(path)).get()) == ["A"])
    }

    @Test func `an archive packed by gzip is unpacked once, and deleted with its feed`()
        async throws
    {
        let feed = try await bench.read(.path(fixture("packed.tgz"))).get()

        #expect(captions(feed) == ["the first", "s/2.jpg"])
        let data = try await bench.harness.manager.data(for: ImageRequest(url: feed[1].url))
        #expect(data.bytes == Array("two".utf8))
        #expect(feed[1].url.contains("/packed.tgz!/s/2.jpg?"))
    }

    /// Packed by gzip(1).
    @Test func `a feed compressed by gzip is read as before`() async throws {
        let feed = try await bench.read(.path(fixture("list.txt.gz"))).get()
        #expect(captions(feed) == ["one", "two"])

        let packed = try bytes(fixture("list.txt.gz"))
        let cut = folder.add("cut.txt.gz", Array(packed.dropLast(10)))
        #expect(try await bench.read(.path(cut)).get().remark == "\(cut): the file is truncated")
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var file = FileBytes(descriptor: descriptor, name: path)
        return try file.rest()
    }

    @Test func `an archive that was written again is not read by its old directory`() async throws {
        let path = folder.add("s.tar", SampleArchive.tar([("a.png", picture)]))
        let feed = try await bench.read(.path(path)).get()
        folder.add("s.tar", SampleArchive.tar([("b.png", picture), ("a.png", picture)]))

        #expect(await bench.reason(feed[0]) == "the archive has changed; open it again")
    }

    @Test func `images with wrong sizes fail, and take no memory`() async throws {
        let bytes =
            SampleArchive.tar([("a.png", picture)]).dropLast(1024)
            + SampleArchive.header("huge.png", 1 << 32) + picture
        let path = folder.add("s.tar", Array(bytes))

        let feed = try await bench.read(.path(path)).get()

        #expect(captions(feed) == ["a.png", "huge.png"])
        #expect(feed.remark == "\(path): the archive is truncated")
        try await bench.load(feed[0])
        #expect(await bench.reason(feed[1]) == "larger than 64 MiB")
    }

    @Test func `archives without images, and unsupported archives, report it`() async {
        let empty = folder.add("e.tar", SampleArchive.tar([("a.txt", [1])]))
        let fault = "\(empty): the archive contains no supported image"
        #expect(await self.fault(.path(empty)) == "\(fault): left out 1 that is not an image")
        let zip = folder.add(
            "z.zip",
            Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 100)
        )
        #expect(
            await self.fault(.path(zip)).hasSuffix("has no valid directory at its end")
        )
        let rar = folder.add("r.rar", Array("Rar!\u{1A}".utf8))
        #expect(
            await self.fault(.path(rar))
                == "\(rar): is compressed with RAR, which is not supported; decompress it first"
        )
    }

    @Test func `an archive index is read back, and an invalid one is rejected`() {
        for remark in [nil, "left out 1 that is not an image"] {
            let index = ArchiveIndex(remark: remark, lines: Array("{}\n".utf8))
            #expect(ArchiveIndex(index.bytes) == index)
        }
        #expect(ArchiveIndex([]) == nil && ArchiveIndex(Array("{}\n".utf8)) == nil)
    }

    @Test func `the directory of a large archive is cached for exactly this archive`()
        async throws
    {
        let cache = TestFolder()
        let harness = LoadingHarness(disk: DiskCacheConfiguration(directory: cache.path + "/cache"))
        let files = (0..<2000).map {
            (name: "\($0).png", content: [UInt8](repeating: 1, count: 8 << 10))
        }
        let path = folder.add("s.tar", SampleArchive.tar(files))
        // A reader of its own each time: one remembers what it has read.
        let read = {
            let reader = FeedReader(manager: harness.manager)
            return try await blocking {
                Result { () throws(FeedError) in try reader.read([.path(path)]) }
            }
            .get()
        }

        let first = try await read()
        await harness.manager.flush()
        // Reading the archive again by its headers would fail.
        let descriptor = open(path, O_WRONLY)
        var status = stat()
        fstat(descriptor, &status)
        let garbage: [UInt8] = [1, 2, 3]
        // The bytes belong to headers, each of which precedes 8 KiB.
        pwrite(descriptor, garbage, 3, 100 * (512 + (8 << 10)))
        var times = [status.st_atim, status.st_mtim]
        futimens(descriptor, &times)
        close(descriptor)
        let second = try await read()

        #expect(first.count == 2000 && second.count == 2000)
        #expect((0..<2000).allSatisfy { first[$0] == second[$0] })
        #expect(await harness.manager.clearDisk().byteCount > 0)
        #expect(try await read().count < 2000)
    }
}
