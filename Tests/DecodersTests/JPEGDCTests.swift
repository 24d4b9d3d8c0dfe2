import Testing

@testable import DecoderContracts
@testable import Decoders

@Suite struct JPEGDCTests {
    private static let kinds = [
        "444", "422", "420", "440", "411", "rgb", "gray", "restart", "scans", "progressive",
    ]

    /// The number of mutations per run; 400,000 ran without errors under the address sanitizer.
    private static let mutationCount = 2_000

    @Test(arguments: kinds)
    func `the DC grid equals libjpeg's at one eighth`(name: String) throws {
        let file = try Fixtures.bytes(of: name + ".jpg")

        // Every size with the same number of MCUs: the last ones are partly outside.
        let smallest = name == "411" ? 33 : 41
        for width in smallest...48 {
            for height in 25...32 {
                try expectSameGrid(Self.resized(file, width: width, height: height))
            }
        }
    }

    @Test(arguments: [50, 75, 89, 95], [false, true])
    func `optimized tables and odd sizes give libjpeg's grid`(
        quality: Int,
        progressive: Bool
    ) throws {
        for side in 1...40 {
            let picture = noise(
                width: side,
                height: 41 - side,
                hasAlpha: false,
                seed: UInt64(side)
            )
            try expectSameGrid(
                JPEGEncoder.encode(picture, quality: quality, progressive: progressive)
            )
        }
    }

    @Test(arguments: [75, 95, 100])
    func `data larger than a chunk gives libjpeg's grid`(quality: Int) throws {
        let picture = noise(width: 333, height: 277, hasAlpha: false, seed: 5)
        let file = try JPEGEncoder.encode(picture, quality: quality, progressive: false)

        #expect(file.count > 1 << 15)
        try expectSameGrid(file)
    }

    @Test(arguments: ["arithmetic", "cmyk", "ycck"])
    func `unusual JPEGs are left to libjpeg`(name: String) throws {
        #expect(try JPEGGrid.fast(Fixtures.bytes(of: name + ".jpg")) == nil)
    }

    @Test(arguments: [false, true])
    func `a file cut at any byte is left to libjpeg`(progressive: Bool) throws {
        let picture = noise(width: 64, height: 48, hasAlpha: false, seed: 12)
        let file = try JPEGEncoder.encode(picture, quality: 90, progressive: progressive)

        for count in stride(from: 0, to: file.count, by: 7) {
            #expect(try JPEGGrid.fast(Array(file.prefix(count))) == nil, "\(count) bytes")
        }
    }

    @Test(arguments: [false, true])
    func `large damaged files give the same error as without the DC path`(
        progressive: Bool
    ) throws {
        let picture = noise(width: 400, height: 300, hasAlpha: false, seed: 3)
        let file = try JPEGEncoder.encode(picture, quality: 75, progressive: progressive)
        let options = DecodingOptions(targetSize: PixelSize(width: 20, height: 20))

        #expect(throws: ImageDecodingError.truncated(.jpeg)) {
            try JPEGDecoder().decode(Array(file.prefix(file.count / 2)), options: options)
        }
        #expect(throws: ImageDecodingError.cancelled) {
            let options = DecodingOptions(targetSize: options.targetSize) { true }
            return try JPEGDecoder().decode(file, options: options)
        }
        #expect(throws: Never.self) { try JPEGDecoder().decode(file, options: options) }
    }

    @Test func `mutated files give libjpeg's grid or are left to libjpeg`() throws {
        let picture = noise(width: 41, height: 27, hasAlpha: false, seed: 4)
        var files = try Self.kinds.map { try Fixtures.bytes(of: $0 + ".jpg") }
        files += try [(80, false), (80, true), (95, false), (95, true)].map {
            try JPEGEncoder.encode(picture, quality: $0.0, progressive: $0.1)
        }
        var acceptedCount = 0
        for seed in 0..<UInt64(Self.mutationCount) {
            var generator = SeededGenerator(seed: seed)
            let file = Self.mutated(files[Int(seed) % files.count], &generator)
            guard let fast = try JPEGGrid.fast(file) else { continue }
            acceptedCount += 1
            // In a progressive file the AC scans are not read, so errors in them are not found.
            guard let reference = try? JPEGGrid.libjpeg(file) else {
                #expect(JPEGGrid.isProgressive(file), "seed \(seed): libjpeg refuses")
                continue
            }
            expectSame(fast, reference, of: file, "seed \(seed)")
        }
        #expect(acceptedCount > Self.mutationCount / 20)
    }

    // MARK: - Helpers

    private func expectSameGrid(_ file: [UInt8]) throws {
        let fast = try #require(try JPEGGrid.fast(file))
        expectSame(fast, try JPEGGrid.libjpeg(file), of: file, "")
    }

    private func expectSame(
        _ fast: PixelBuffer,
        _ reference: PixelBuffer,
        of file: [UInt8],
        _ note: String
    ) {
        let isQuarter = JPEGGrid.hasQuarterChroma(file)
        let difference =
            isQuarter
            ? JPEGGrid.lumaDifference(fast, reference) : fast.maximumDifference(from: reference)
        #expect(fast.size == reference.size, "\(note)")
        // Invisible bits are omitted in progressive files.
        let tolerance = JPEGOutline(file).tolerance + (isQuarter ? 2 : 0)
        #expect(difference <= tolerance, "\(note) \(fast.size)")
    }

    /// Returns the file with another size in its frame header.
    private static func resized(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
        var file = file
        for marker: UInt8 in [0xC0, 0xC2] {
            guard let frame = Fixtures.offsets(of: marker, in: file).first else { continue }
            file[frame + 6] = UInt8(height)
            file[frame + 8] = UInt8(width)
        }
        return file
    }

    private static func mutated(
        _ file: [UInt8],
        _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var file = file
        // Half of them in the second half, where the coded data are.
        let first = Bool.random(using: &generator) ? 2 : file.count / 2
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let index = Int.random(in: first..<file.count, using: &generator)
            switch Int.random(in: 0...9, using: &generator) {
            case 0: file.remove(at: index)
            case 1: file.insert(.random(in: 0...255, using: &generator), at: index)
            case 2: file[index] = 0xFF
            case 3...6: file[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            default: file[index] = .random(in: 0...255, using: &generator)
            }
        }
        return file
    }
}
