import Decoders
import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

/// Tars of samples, and reports that wait for them.
@Suite struct ShardTests {
    private let folder = TestFolder()

    private func sample(_ number: Int) -> Sample {
        Sample(
            key: SampleMaker.key(ofEntry: number),
            suffix: "jpg",
            picture: [UInt8](repeating: UInt8(number % 251), count: number % 1_100),
            facts: Array("{\"n\":\(number)}".utf8)
        )
    }

    private func names() -> [String] {
        ((try? FolderNames.of(folder.path)) ?? []).filter { $0 != "." && $0 != ".." }.sorted()
    }

    private func removeAll() {
        for name in names() { unlink("\(folder.path)/\(name)") }
    }

    @Test func `a shard gets its name when it is complete, and no file exists before`() throws {
        defer { removeAll() }
        var shards = try ShardWriter(folder: folder.path, size: 3, isResumed: false)

        let first = try (0..<3).map { try shards.add(sample($0)) }
        #expect(first == ["00000.tar", "00000.tar", "00000.tar"] && shards.isFull)
        #expect(!names().contains("00000.tar"))
        try shards.commit()
        #expect(names() == ["00000.tar"] && !shards.isFull)

        let second = try shards.add(sample(3))
        #expect(second == "00001.tar")
        shards.abort()
        #expect(names() == ["00000.tar"])
        // Of nothing there is no shard.
        try shards.commit()
        #expect(names() == ["00000.tar"])
    }

    @Test func `unreported entries of the last shard are found, once`() throws {
        defer { removeAll() }
        var shards = try ShardWriter(folder: folder.path, size: 4, isResumed: false)
        for number in 0..<4 {
            let facts = #"{"key":"\#(number)","url":"http://h/\#(number)","id":\#(number * 10)}"#
            let sample = Sample(
                key: SampleMaker.key(ofEntry: number),
                suffix: "jpg",
                picture: [UInt8](repeating: 7, count: 600 * number),
                facts: Array(facts.utf8)
            )
            _ = try shards.add(sample)
        }
        try shards.commit()
        let told = """
            {"key":"000000001","shard":"00000.tar","status":"ok","url":"http://h/1"}
            {"key":"000000002","shard":"00000.tar","status":"failed","url":"http://h/2"}
            {"key":"000000003","shard":"00000.tar","status":"o
            """
        let path = "\(folder.path)/done.jsonl"
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(OutputBytes.write(Array(told.utf8), to: file))
        close(file)

        let shard = try ShardWriter(folder: folder.path, size: 4, isResumed: true).lastShard
        let done = try DoneFile.read(path, lastShard: shard)
        var entries = done.entries
        let lines = done.untold.map { String(decoding: $0.line, as: UTF8.self) }

        #expect(
            lines
                == [0, 2, 3].map {
                    #"{"shard":"00000.tar","status":"ok","key":"\#($0)","url":"http://h/\#($0)","id":\#($0 * 10)}"#
                }
        )
        let areDone = (0..<5).map { entries.take("http://h/\($0)") }
        #expect(areDone == [true, true, true, true, false])

        let nothing = try DoneFile.read("\(folder.path)/none.jsonl", lastShard: shard)
        #expect(nothing.untold.count == 4)
    }

    @Test func `a run continues after the existing shards, or leaves them alone`() throws {
        defer { removeAll() }
        for name in ["00002.tar", "00010.tar", "x.tar", "00011.tar.part", "-1.tar"] {
            close(open("\(folder.path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        }

        #expect(throws: ShardFailure.self) {
            try ShardWriter(folder: folder.path, size: 3, isResumed: false)
        }
        var shards = try ShardWriter(folder: folder.path, size: 3, isResumed: true)
        let name = try shards.add(sample(0))
        #expect(name == "00011.tar")
        shards.abort()
    }

    /// More than the C library reads at once: a name at the end of its buffer was read beyond it, as
    /// the address sanitizer saw.
    @Test func `after a thousand and more shards the next one has the next number`() throws {
        defer { removeAll() }
        for number in 0..<1_200 {
            let path = "\(folder.path)/\(ShardWriter.name(ofNumber: number))"
            close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        }

        var shards = try ShardWriter(folder: folder.path, size: 3, isResumed: true)
        let name = try shards.add(sample(0))

        #expect(name == "01200.tar")
        shards.abort()
    }

    @Test func `a single tar replaces an earlier one only at its end, and may be empty`()
        throws
    {
        defer { removeAll() }
        let path = "\(folder.path)/out.tar"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        _ = OutputBytes.write(Array("before".utf8), to: descriptor)
        close(descriptor)
        let byteCount = {
            var status = stat()
            stat(path, &status)
            return Int(status.st_size)
        }

        var shards = ShardWriter(file: path)
        _ = try shards.add(sample(1))
        #expect(byteCount() == 6)
        try shards.commit()
        #expect(byteCount() == 6 * 512)

        var empty = ShardWriter(file: path)
        try empty.commit()
        #expect(byteCount() == 1024 && names() == ["out.tar"])
    }

    @Test func `a folder that cannot be created is named`() {
        #expect(throws: ShardFailure(path: "/proc/none", "No such file or directory")) {
            try ShardWriter(folder: "/proc/none", size: 3, isResumed: false)
        }
        #expect(throws: ShardFailure.self) {
            var shards = ShardWriter(file: "/proc/none/out.tar")
            _ = try shards.add(sample(1))
        }
    }

    @Test func `entries of a shard are reported when it is complete, others immediately`() {
        var held = HeldReports()
        let failed = FetchReport(url: "f", result: .failure(.notFound), duration: .zero)
        var kept = failed
        kept.shard = "00000.tar"
        let line = { (report: FetchReport) in HeldReports.Line(report: report, fields: []) }

        let isTold = [
            held.mayTell(line(failed), keepsOrder: false),
            held.mayTell(line(kept), keepsOrder: false),
            held.mayTell(line(failed), keepsOrder: false),
            // In order nothing passes what waits.
            held.mayTell(line(failed), keepsOrder: true),
        ]
        let released = held.release()
        let isToldAfter = held.mayTell(line(failed), keepsOrder: true)

        #expect(isTold == [true, false, true, false] && isToldAfter)
        #expect(released.map(\.report.shard) == ["00000.tar", nil])
    }

    @Test func `a sample names its source file`() throws {
        let pixels = PixelBuffer(
            size: PixelSize(width: 200, height: 100),
            bytes: (0..<80_000).map { (place: Int) -> UInt8 in
                place % 4 == 3 ? 255 : UInt8(place / 401 % 256)
            },
            hasAlpha: false
        )
        let body = try JPEGEncoder.encode(pixels, quality: 90)
        let properties = ImageProperties(
            format: .jpeg,
            size: PixelSize(width: 2_000, height: 1_000),
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
        var response = ImageResponse(
            image: DecodedImage(pixels: pixels, properties: properties),
            source: .network,
            byteCount: body.count,
            httpStatus: 200
        )
        response.body = body
        let entry = ListEntry(
            item: FeedItem(url: "http://u:p@h/a.jpg", caption: "A \"b\""),
            fields: [.init(name: "id", json: "5"), .init(name: "key", json: "6")]
        )
        for format in SampleFormat.allCases {
            let maker = SampleMaker(side: 64, format: format, quality: 90)

            let sample = try maker.sample(of: response, for: entry, key: "000000007")

            let picture = try DecoderRegistry.standard.decode(
                sample.picture,
                options: DecodingOptions()
            )
            let size = PixelSize(width: 64, height: 32)
            #expect(picture.properties.size == size && sample.suffix == format.rawValue)
            let text = String(decoding: sample.facts, as: UTF8.self)
            #expect(
                text.hasPrefix(#"{"key":"000000007","url":"http://h/a.jpg","caption":"A \"b\"","#)
            )
            #expect(text.contains(#""width":2000,"height":1000,"thumbnail_width":64,"#))
            #expect(text.contains("\"sha256\":\"\(BodyDigest.sha256(body) ?? "none")\""))
            #expect(text.hasSuffix(#","id":5}"#))
        }
    }

    /// In the frame header (T.81, B.2.2): the first component's sampling, 2×2 beside 1×1 is 4:2:0.
    @Test(arguments: [(90, 0x22), (95, 0x22), (96, 0x11)])
    func `a sample has color at half resolution, as other tools write it, up to a quality of 95`(
        quality: Int,
        sampling: UInt8
    ) throws {
        let pixels = PixelBuffer(
            size: PixelSize(width: 32, height: 32),
            bytes: [UInt8](repeating: 100, count: 32 * 32 * 4),
            hasAlpha: false
        )

        let file = try JPEGEncoder.encodeSample(pixels, quality: quality)

        let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
        #expect(file[frame + 11] == sampling && file[frame + 14] == 0x11)
    }

    /// By sha256sum: `printf abc | sha256sum`.
    @Test func `the digest equals the examples of FIPS 180`() {
        #expect(
            BodyDigest.sha256(Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            BodyDigest.sha256([])
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
    }
}
