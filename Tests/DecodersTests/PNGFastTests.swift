import Testing

@testable import Decoders

/// Decoding without libpng: the pixels that the standard specifies, and libpng's decision in all
/// other cases.
@Suite struct PNGFastTests {
    private static let filters: [(name: String, of: @Sendable (Int) -> UInt8)] = [
        ("none", { _ in 0 }), ("sub", { _ in 1 }), ("up", { _ in 2 }), ("average", { _ in 3 }),
        ("paeth", { _ in 4 }), ("in turn", { UInt8($0 % 5) }),
        ("in pairs", { UInt8($0 / 2 * 7 % 5) }),
    ]

    @Test(arguments: PNGSample.kinds.indices)
    func `every pixel type under every filter has its exact pixels`(kind: Int) throws {
        for (name, filter) in Self.filters {
            for (width, height) in [(1, 1), (2, 3), (7, 40), (40, 19), (33, 5)] {
                var sample = PNGSample.kinds[kind]
                (sample.width, sample.height) = (width, height)
                var file = sample.file
                file.filter = filter
                let bytes = file.encoded()
                let comment = Comment("\(sample.type) \(sample.depth) \(name) \(width)×\(height)")

                let image = try PNGPaths.decode(bytes, fast: true).get()

                #expect(PNGPaths.isFast(bytes) == true, comment)
                #expect(image.pixels.bytes == sample.pixels.bytes, comment)
                PNGPaths.expectSameOutcome(bytes, comment)
            }
        }
    }

    @Test(arguments: 1...40)
    func `every width up to 40 has its exact pixels`(width: Int) throws {
        for var sample in PNGSample.kinds {
            (sample.width, sample.height) = (width, 6)
            var file = sample.file
            file.filter = { UInt8(4 - $0 / 2) }
            let bytes = file.encoded()

            let image = try PNGPaths.decode(bytes, fast: true).get()

            #expect(PNGPaths.isFast(bytes) == true)
            #expect(image.pixels.bytes == sample.pixels.bytes, "\(sample.type) \(sample.depth)")
        }
    }

    @Test(arguments: Deflate.Kind.allCases)
    func `every kind of deflate block is inflated`(compression: Deflate.Kind) throws {
        let picture = quarterPicture(width: 90, height: 50)
        var file = PNGFile(colorType: .rgb, depth: 8, width: 90, height: 50) { x, y in
            [picture[x, y].red, picture[x, y].green, picture[x, y].blue].map(Int.init)
        }
        file.compression = compression
        let bytes = file.encoded()

        let image = try PNGPaths.decode(bytes, fast: true).get()

        #expect(PNGPaths.isFast(bytes) == true)
        #expect(image.pixels == picture)
        PNGPaths.expectSameOutcome(bytes, "\(compression)")
    }

    private static let splits: [(name: String, split: @Sendable ([UInt8]) -> [[UInt8]])] = [
        ("of one byte", { $0.map { [$0] } }), ("empty first", { [[], $0] }),
        ("empty last", { [$0, []] }),
        ("empty between", { [Array($0[..<9]), [], Array($0[9...])] }),
        ("last byte alone", { [Array($0.dropLast()), $0.suffix(1)] }),
        ("first byte alone", { [Array($0[..<1]), Array($0[1...])] }),
    ]

    @Test(arguments: splits.indices)
    func `the data may be split into chunks in any way`(index: Int) throws {
        let sample = PNGSample(type: .rgba, depth: 8)
        var file = sample.file
        file.compression = .dynamic
        file.split = Self.splits[index].split
        let bytes = file.encoded()

        let image = try PNGPaths.decode(bytes, fast: true).get()

        #expect(PNGPaths.isFast(bytes) == true)
        #expect(image.pixels == sample.pixels)
        PNGPaths.expectSameOutcome(bytes, "\(Self.splits[index].name)")
    }

    @Test func `16 bits are rounded to the nearest 8, for all 65536 values`() throws {
        let file = PNGFile(colorType: .gray, depth: 16, width: 256, height: 256) { [$1 * 256 + $0] }
        let bytes = file.encoded()

        let image = try PNGPaths.decode(bytes, fast: true).get()

        let expected = (0..<65536).flatMap { value -> [UInt8] in
            let level = UInt8((Double(value) / 257).rounded())
            return [level, level, level, 255]
        }
        #expect(PNGPaths.isFast(bytes) == true)
        #expect(image.pixels.bytes == expected)
        #expect(try PNGPaths.decode(bytes, fast: false).get() == image)
    }

    @Test(arguments: PNGSample.kinds.indices)
    func `each kind of transparency is decoded as by libpng`(kind: Int) throws {
        let sample = PNGSample.kinds[kind]
        var file = sample.file
        let first = file.samples(0, 0)
        switch sample.type {
        case .palette: file.chunks.append(("tRNS", [0, 77]))
        // Decoders must ignore the bits above the sample.
        case .gray where sample.depth < 16: file.chunks = [("tRNS", [0xA5, UInt8(first[0])])]
        default: file.chunks = [("tRNS", first.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })]
        }
        file.filter = { UInt8($0 % 5) }
        let bytes = file.encoded()

        let image = try PNGPaths.decode(bytes, fast: true).get()

        let isOpaque = (0..<13).allSatisfy { image.pixels[$0, 0].alpha == 255 }
        let hasHole = sample.type == .gray || sample.type == .rgb
        #expect(PNGPaths.isFast(bytes) == true)
        #expect(!hasHole || image.pixels[0, 0].alpha == 0)
        #expect(!hasHole || !isOpaque)
        PNGPaths.expectSameOutcome(bytes, "\(sample.type) \(sample.depth)")
    }

    @Test(arguments: [(45_455, true), (100_000, false), (40_000, false), (0, true)])
    func `a gamma equal to sRGB's changes nothing, and any other is applied as by libpng`(
        gamma: Int,
        isFast: Bool
    ) throws {
        var file = PNGSample(type: .rgb, depth: 8).file
        file.chunks = [("gAMA", PNGFile.number(gamma))]
        let bytes = file.encoded()

        #expect(PNGPaths.isFast(bytes) == isFast)
        PNGPaths.expectSameOutcome(bytes, "\(gamma)")
    }

    @Test(arguments: PNGSample.kinds.indices)
    func `chunks around the pixels change nothing`(kind: Int) throws {
        let sample = PNGSample.kinds[kind]
        var file = sample.file
        file.chunks = [
            ("sBIT", [3, 3, 3, 3]), ("pHYs", PNGFile.number(1) + PNGFile.number(4) + [0]),
            ("tEXt", Array("Title\0a".utf8)),
            ("zTXt", Array("Title\0\0".utf8) + Deflate.stream([65])),
        ]
        if sample.type == .palette { file.chunks += sample.file.chunks }
        file.chunks += [
            ("bKGD", [0, 1]), ("hIST", [0, 1, 0, 2]), ("xyZz", [1]),
            ("tIME", [7, 232, 1, 1, 0, 0, 0]),
        ]
        file.lateChunks = [("tEXt", Array("Comment\0b".utf8)), ("iTXt", [0]), ("IEND", [])]
        let bytes = file.encoded()

        let image = try PNGPaths.decode(bytes, fast: true).get()

        #expect(PNGPaths.isFast(bytes) == true)
        #expect(image.pixels.bytes == sample.pixels.bytes)
        PNGPaths.expectSameOutcome(bytes, "\(sample.type) \(sample.depth)")
    }
}
