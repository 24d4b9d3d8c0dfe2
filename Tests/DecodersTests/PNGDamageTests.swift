import Testing

@testable import Decoders

/// For any damage of a PNG, our own decoder declines and libpng decides.
@Suite struct PNGDamageTests {
    private static let sample = PNGSample(type: .rgb, depth: 8)

    /// Returns a file with a given zlib stream.
    private static func file(stream: [UInt8]) -> [UInt8] {
        var file = sample.file
        file.split = { _ in [stream] }
        return file.encoded()
    }

    private static let rows = sample.file.rows()

    /// Types of damage by name: the bytes, and whether our own decoder may accept them.
    private static let damages: [(name: String, bytes: [UInt8], isFast: Bool?)] = {
        let whole = sample.file.encoded()
        let stream = Deflate.stream(rows)
        let data = whole.count - 16 - stream.count
        let lastByte = data + stream.count - 1
        let short = Deflate.stream(rows.dropLast(40))
        let blockType = [UInt8]([0x78, 0x01, 0x07])
        let smallWindow = [UInt8]([0x08, 0x1D]) + stream.dropFirst(2)
        var (noSignature, badCRC, badAdler) = (whole, whole, stream)
        var (wrongFilter, dictionary) = (rows, stream)
        noSignature[0] = 0
        badAdler[stream.count - 1] ^= 1
        badCRC[data + stream.count] ^= 1
        wrongFilter[0] = 5
        dictionary.replaceSubrange(0..<2, with: [0x78, 0x20])
        return [
            ("whole", whole, true),
            ("no signature", noSignature, nil),
            ("checksum of a chunk", badCRC, false),
            ("checksum of the stream", file(stream: badAdler), false),
            ("bytes behind the stream", file(stream: stream + [1, 2, 3]), false),
            ("a row too many", file(stream: Deflate.stream(rows + rows.prefix(40))), false),
            ("a row too few", file(stream: short), false),
            ("no data", file(stream: []), false),
            ("a byte of data", file(stream: [0x78]), false),
            ("header of the stream", file(stream: [0x79] + stream.dropFirst()), false),
            ("a preset dictionary", file(stream: dictionary), false),
            ("a block of no kind", file(stream: blockType), false),
            ("a window smaller than the rows", file(stream: smallWindow), false),
            ("an invalid filter", file(stream: Deflate.stream(wrongFilter)), false),
            ("cut in the data", Array(whole[..<(data + 50)]), false),
            ("cut in the checksum", Array(whole[...(lastByte + 2)]), false),
            ("no end chunk", Array(whole[...(lastByte + 4)]), true),
            ("cut in the end chunk", Array(whole[...(lastByte + 9)]), true),
            ("nothing but the header", Array(whole[..<33]), nil),
        ]
    }()

    @Test(arguments: damages.indices)
    func `each damage has the same result as in libpng`(index: Int) {
        let (name, bytes, isFast) = Self.damages[index]

        #expect(PNGPaths.isFast(bytes) == isFast, "\(name)")
        PNGPaths.expectSameOutcome(bytes, "\(name)")
    }

    @Test(arguments: [
        (0, 0), (3, 8), (1, 8), (2, 4), (3, 16), (4, 4), (5, 8), (6, 2), (7, 8), (0, 3), (2, 32),
    ])
    func `impossible headers have the same result as in libpng`(type: Int, depth: Int) {
        // The second case has no palette.
        var bytes = Self.sample.file.encoded()
        let header = Array(bytes[16..<24]) + [UInt8(depth), UInt8(type), 0, 0, 0]
        bytes.replaceSubrange(8..<33, with: PNGFile.chunk("IHDR", header))

        guard case .failure(.corrupt(.png, _)) = PNGPaths.decode(bytes, fast: true) else {
            Issue.record("type \(type), depth \(depth) is decoded")
            return
        }
        PNGPaths.expectSameOutcome(bytes, "type \(type), depth \(depth)")
    }

    @Test func `a palette index beyond the palette is decoded as by libpng`() {
        var file = PNGFile(colorType: .palette, depth: 8, width: 4, height: 1) { x, _ in [x] }
        file.chunks = [("PLTE", [9, 9, 9, 8, 8, 8]), ("tRNS", [3])]
        let bytes = file.encoded()

        #expect(PNGPaths.isFast(bytes) == true)
        PNGPaths.expectSameOutcome(bytes, "two colors")
    }

    @Test func `if the limit has no room for our own rows, the image is left to libpng`() throws {
        let sample = PNGSample(type: .rgb, depth: 8, width: 100, height: 200)
        let bytes = sample.file.encoded()
        func options(_ byteCount: Int) -> DecodingOptions {
            DecodingOptions(
                targetSize: PixelSize(width: 5, height: 10),
                limits: DecodingLimits(maximumByteCount: byteCount)
            )
        }

        // All rows take 60,200 bytes; the 17 rows in memory and their pixels take 12,000.
        #expect(PNGPaths.isFast(bytes, options(80_000)) == true)
        #expect(PNGPaths.isFast(bytes, options(14_000)) == true)
        #expect(PNGPaths.isFast(bytes, options(10_000)) == false)
        PNGPaths.expectSameOutcome(bytes, "little memory")
        #expect(throws: Never.self) {
            try PNGPaths.decode(bytes, options(10_000), fast: true).get()
        }
    }

    @Test func `a preview of a file cut at any byte equals libpng's`() throws {
        var file = PNGSample(type: .rgba, depth: 8, width: 9, height: 30).file
        file.filter = { UInt8($0 % 5) }
        file.split = { stream in
            stride(from: 0, to: stream.count, by: 200).map {
                Array(stream[$0..<min($0 + 200, stream.count)])
            }
        }
        let bytes = file.encoded()

        for count in bytes.indices {
            PNGPaths.expectSameOutcome(Array(bytes.prefix(count)), "\(count) bytes")
        }
        let preview = DecodingOptions(acceptsTruncation: true)
        #expect(try PNGPaths.decode(bytes, preview, fast: true).get().isFinal)
        #expect(
            try !PNGPaths.decode(Array(bytes.prefix(900)), preview, fast: true).get().isFinal
        )
    }

    @Test(arguments: 0..<40)
    func `files with random damage have the same result as in libpng`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for var sample in PNGSample.kinds {
            (sample.width, sample.height) = (9, 7)
            var file = sample.file
            let first = Int.random(in: 0..<5, using: &generator)
            file.filter = { UInt8(($0 + first) % 5) }
            file.compression = Deflate.Kind.allCases.randomElement(using: &generator) ?? .fixed
            // Damages the stream, in a chunk with a correct checksum, and then any part of the
            // file.
            let damage = Int.random(in: 0..<3, using: &generator)
            let edits = (0..<damage).map { _ in generator.next() }
            file.split = { stream in
                var stream = stream
                for edit in edits {
                    stream[Int(edit >> 8) % stream.count] = UInt8(truncatingIfNeeded: edit)
                }
                return [stream]
            }
            var bytes = file.encoded()
            for _ in 0..<Int.random(in: 0..<3, using: &generator) {
                let index = Int.random(in: 8..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            let header = try? PNGDecoder().probe(bytes)
            guard header?.size.pixelCount ?? 0 < 10_000 else { continue }

            PNGPaths.expectSameOutcome(bytes, "seed \(seed), \(sample.type) \(sample.depth)")
        }
    }
}
