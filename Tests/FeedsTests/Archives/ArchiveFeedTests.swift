import DecoderContracts
import FeedContracts
@testable import Feeds
import Glibc
import ImageLoading
import ImageLoadingTesting
import PropertyRuns
import Testing
import VirtualTerminal

@Suite struct ArchiveFeedTests {
    private let picture: [UInt8] = [0x89, 0x50]

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Returns the feed of an archive in memory, with its remarks.
    private func read(
        _ listing: ArchiveListing,
        _ bytes: [UInt8]
    ) throws -> (feed: Feed, leftOut: String?, fault: String?) {
        var listing = listing
        var growing = GrowingFeed(
            title: "a",
            archive: ArchiveBase(path: text("/data/a!.tar"), stamp: ArchiveStamp(stat()))
        )
        let lines = listing.readAll(bytes)
        growing.append(try #require(lines))
        return (try growing.end(), listing.tally.leftOut, listing.fault)
    }

    private func tar(_ files: (name: String, content: [UInt8])...) throws -> Feed {
        let bytes = SampleArchive.tar(files)
        return try read(ArchiveListing(tarOf: bytes.count), bytes).feed
    }

    private func captions(_ feed: Feed) -> [String] { (0..<feed.count).map { feed[$0].caption } }

    @Test func `images are items with their paths, in the order of a tar`() throws {
        let feed = try tar(("b/2.PNG", picture), ("readme", []), ("b/a b?#!%.jpg", picture))

        #expect(captions(feed) == ["b/2.PNG", "b/a b?#!%.jpg"])
        let url = "archive:///data/a%21.tar!/b/a%20b%3F%23%21%25.jpg?p2048-2&0-0-0-0"
        #expect(feed[1].url == url)
        let file = try #require(ArchivedFile(url: url))
        #expect(file.place == .plain(offset: 2048) && file.byteCount == 2)
        #expect(file.name == text("b/a b?#!%.jpg") && file.archive == text("/data/a!.tar"))
        #expect(feed[1].isLocalFile)
    }

    @Test func `images, videos and documents without a decoder are named by their suffixes`() throws
    {
        let bytes = SampleArchive.tar([
            ("a.pcx", []), ("b.PCX", []), ("c.mp4", []), ("d.pdf", []), ("e.jpg", picture),
            ("f.exe", []),
        ])

        let (feed, leftOut, _) = try read(ArchiveListing(tarOf: bytes.count), bytes)

        #expect(feed.count == 1)
        #expect(leftOut == "2 PCX, 1 MP4, 1 PDF, 1 that is not an image")
    }

    @Test func `files with the same key give an image's details, as in WebDataset`() throws {
        let feed = try tar(
            ("s/001.cls", text("7\n")),
            ("s/001.jpg", picture),
            ("s/001.json", text(#"{"w":640,"@":1}"#)),
            ("s/001.txt", text(" a cat\n")),
            ("s/002.jpg", picture),
            ("s/003.cls", text("12")),
            ("s/003.seg.png", picture),
            ("s/003.jpg", picture),
            ("s/004.jpg", picture),
            ("s/004.json", text(#"{"caption":"a dog"}"#)),
            ("s/005.jpg", picture),
            ("s/005.json", text("no json")),
            ("x.txt", text("nobody's"))
        )

        #expect(
            captions(feed) == ["a cat", "s/002.jpg", "12 (seg)", "12", "a dog", "s/005.jpg"]
        )
        let fields = feed[0].details?.fields.map { [$0.name, $0.value] }
        #expect(fields == [["cls", "7"], ["w", "640"]])
        #expect(feed[1].details == nil)
    }

    /// Written by `webdataset.TarWriter` (1.0.2) of samples of our own.
    @Test func `a shard written by webdataset gives its images with their details`() throws {
        let bytes = try Fixture("made-by-webdataset.tar").bytes()

        let feed = try read(ArchiveListing(tarOf: bytes.count), bytes).feed

        #expect(
            captions(feed) == [
                "a caption 0", "a caption 1", "a caption 2", "words of the picture",
            ]
        )
        let fields = feed[1].details?.fields.map { [$0.name, $0.value] }
        #expect(
            fields == [["cls", "1"], ["caption", "a caption 1"], ["url", "https://x.example/1"]]
        )
    }

    @Test func `an image's details can be searched and sorted by`() throws {
        let feed = try tar(
            ("1.jpg", picture),
            ("1.txt", text("zebra")),
            ("2.jpg", picture),
            ("2.txt", text("ape"))
        )

        let needle = try #require(TextNeedle("ape"))
        #expect(feed.item(1, has: needle) && !feed.item(0, has: needle))
        #expect(feed.caption(of: 0) == "zebra")
    }

    /// The end of a tar archive.
    private let zeros = [UInt8](repeating: 0, count: 10 << 10)

    private func captions(of bytes: [UInt8], isWhole: Bool) throws -> [String] {
        captions(try read(ArchiveListing(tarOf: bytes.count, isWhole: isWhole), bytes).feed)
    }

    @Test(arguments: [true, false])
    func `a hard link is an image with the bytes of its file`(isWhole: Bool) throws {
        let bytes =
            Array(SampleArchive.tar([("a.png", picture)]).dropLast(1024))
            + SampleArchive.header("b.png", 0, kind: "1", target: "a.png")
            // Links to nothing, to themselves, and out of the archive.
            + SampleArchive.header("c.png", 0, kind: "1", target: "none.png")
            + SampleArchive.header("d.png", 0, kind: "1", target: "d.png")
            + SampleArchive.header("e.png", 0, kind: "1", target: "/etc/passwd")
            // A link to a link, and a link that is no image.
            + SampleArchive.header("f.png", 0, kind: "1", target: "b.png")
            + SampleArchive.header("g", 0, kind: "1", target: "none")
            + zeros

        let (feed, leftOut, _) = try read(
            ArchiveListing(tarOf: bytes.count, isWhole: isWhole),
            bytes
        )

        #expect(captions(feed) == ["a.png", "b.png", "c.png", "d.png", "e.png", "f.png"])
        let places = (0..<6).map { feed[$0].url.split(separator: "?").last }
        #expect(places[0] == places[1] && places[0] == places[5])
        let reason = "a hard link to a file that was not found in the archive"
        #expect((2...4).allSatisfy { feed[$0].problem == reason })
        #expect(leftOut == "1 link or device")
    }

    @Test func `of equal names the last counts, unless images are shown while a tar is read`()
        throws
    {
        let bytes = SampleArchive.tar([("a.png", [1]), ("c.png", [2]), ("a.png", [3])])

        #expect(try captions(of: bytes, isWhole: true) == ["c.png", "a.png"])
        #expect(try captions(of: bytes, isWhole: false) == ["a.png", "c.png", "a.png"])
    }

    @Test func `an archive that follows another one is read, other data is not`() throws {
        let first = SampleArchive.tar([("a.png", picture)]) + zeros
        let second = SampleArchive.tar([("b.png", picture)])
        let other = [UInt8](repeating: 7, count: 2048)

        #expect(try captions(of: first + second, isWhole: true) == ["a.png", "b.png"])
        #expect(try captions(of: first + other, isWhole: true) == ["a.png"])
    }

    @Test func `a zip is in natural order, and of equal names the last counts`() throws {
        let bytes = SampleArchive.zip([
            ("./", []), ("b10.png", picture), ("a/1.png", picture), ("b9.png", picture),
            ("b9.png", [1, 2, 3]), ("b9.txt", text("nine")),
        ])

        let (feed, leftOut, fault) = try read(ArchiveListing(zipOf: bytes.count), bytes)

        #expect(captions(feed) == ["a/1.png", "b9.png", "b10.png"])
        #expect(leftOut == "1 replaced by a later file" && fault == nil)
        #expect(ArchivedFile(url: feed[1].url)?.byteCount == 3)
    }

    @Test func `paths outside the archive, links and hidden files are left out and counted`() throws
    {
        let bytes =
            SampleArchive.header("l.jpg", 0, kind: "2") + SampleArchive.header("d", 0, kind: "3")
            + SampleArchive.tar([
                ("../out.jpg", picture), ("a/../../b.jpg", picture), ("/etc/c.jpg", picture),
                ("./d.jpg", picture), ("._d.jpg", picture), ("__MACOSX/d.jpg", picture),
                ("e.pdf", []), ("f.exe", []),
            ])

        let (feed, leftOut, _) = try read(ArchiveListing(tarOf: bytes.count), bytes)

        #expect(captions(feed) == ["etc/c.jpg", "d.jpg"])
        let expected =
            "1 PDF, 1 that is not an image, 2 links and devices, "
            + "2 whose names lead outside the archive"
        #expect(leftOut == expected)
    }

    @Test func `encrypted images are failed cells with the reason`() throws {
        let bytes = SampleArchive.zip([("a.png", picture)], flags: 1)

        let (feed, _, _) = try read(ArchiveListing(zipOf: bytes.count), bytes)

        #expect(feed.count == 1 && feed[0].problem == "encrypted")
        #expect(feed[0].caption == "a.png")
    }

    @Test func `a truncated archive shows the images before the cut and reports the cut`()
        throws
    {
        let bytes = SampleArchive.tar([("a.png", picture), ("b.png", picture)])

        let cut = Array(bytes.prefix(1500))
        let (feed, _, fault) = try read(ArchiveListing(tarOf: cut.count), cut)
        #expect(feed.count == 1 && fault == "is truncated")
        // Without its last blocks it has all of its files.
        let bare = Array(bytes.dropLast(1024))
        let whole = try read(ArchiveListing(tarOf: bare.count), bare)
        #expect(whole.feed.count == 2 && whole.fault == nil)
        var damaged = bytes
        damaged[1024] ^= 1
        let (first, _, damage) = try read(ArchiveListing(tarOf: damaged.count), damaged)
        #expect(first.count == 1 && damage?.contains("byte 1024") == true)
    }

    @Test func `notes that are too long are left out`() throws {
        let bytes = SampleArchive.tar([
            ("a.jpg", picture), ("a.txt", [UInt8](repeating: 0x61, count: 70_000)),
        ])

        let (feed, leftOut, _) = try read(ArchiveListing(tarOf: bytes.count), bytes)

        #expect(feed[0].caption == "a.jpg" && leftOut == "1 caption file that is too long")
    }

    @Test func `archives with any bytes changed are read as their contract requires`() throws {
        var generator = SeededGenerator(seed: 11)
        let files: [(name: String, content: [UInt8])] = [
            ("a/1.jpg", picture), ("a/1.json", text(#"{"a":[1,2]}"#)), ("a/2.png", picture),
        ]
        for bytes in [SampleArchive.tar(files), SampleArchive.zip(files)] {
            for _ in 0..<PropertyRuns.count(300) {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    changed[Int.random(in: changed.indices, using: &generator)] =
                        UInt8.random(in: 0...255, using: &generator)
                }
                try Contract.archives.check(changed)
            }
        }
    }

    @Test func `URLs of images in archives are shown without the archive's path`() {
        let url = "archive:///a.tar!/b.jpg?p512-2&1-2-3-4"
        #expect(PictureAddress.of(url) == "archive:///a.tar!/b.jpg")
        #expect(PictureAddress.of(PictureAddress.of(url)) == PictureAddress.of(url))
        let remote = "archive+https://me:secret@h/a.tar!/b.jpg?p512-2&x"
        #expect(PictureAddress.of(remote) == "archive+https://h/a.tar!/b.jpg")
    }
}
