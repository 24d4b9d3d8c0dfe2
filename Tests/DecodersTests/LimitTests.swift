import Decoders
import Testing

@Suite struct LimitTests {
    private let registry = DecoderRegistry.standard

    /// A PNG that declares its size and has next to no data.
    private func bomb(width: Int, height: Int, interlaced: Bool = false) -> [UInt8] {
        let header =
            PNGFile.number(width) + PNGFile.number(height) + [8, 2, 0, 0, interlaced ? 1 : 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + PNGFile.chunk("IHDR", header)
            + PNGFile.chunk("IDAT", PNGFile.deflated([0])) + PNGFile.chunk("IEND", [])
    }

    @Test(arguments: [nil, PixelSize(width: 40, height: 40)])
    func `a bomb of 60000×60000 pixels is refused by its header`(target: PixelSize?) {
        let size = PixelSize(width: 60_000, height: 60_000)

        #expect(throws: ImageDecodingError.tooManyPixels(size, limit: 100_000_000)) {
            try registry.decode(
                bomb(width: 60_000, height: 60_000),
                options: DecodingOptions(targetSize: target)
            )
        }
    }

    @Test(arguments: [false, true], [nil, PixelSize(width: 4, height: 4)])
    func `the largest sides a PNG can declare are refused`(interlaced: Bool, target: PixelSize?) {
        let side = Int(Int32.max)

        #expect(throws: ImageDecodingError.self) {
            try registry.decode(
                bomb(width: side, height: side, interlaced: interlaced),
                options: DecodingOptions(
                    targetSize: target,
                    limits: DecodingLimits(maximumPixelCount: .max, maximumByteCount: 1 << 20)
                )
            )
        }
    }

    @Test func `pixels that the file is too short for are missing, not allocated`() {
        #expect(throws: ImageDecodingError.truncated(.png)) {
            try registry.decode(
                bomb(width: 9_000, height: 9_000, interlaced: true),
                options: DecodingOptions()
            )
        }
    }

    @Test func `a thumbnail of a plain PNG needs little memory, the full picture all of it`() throws
    {
        let file = try PNGEncoder.encode(quarterPicture(width: 600, height: 400))
        let limits = DecodingLimits(maximumByteCount: 200_000)
        let thumbnail = PixelSize(width: 30, height: 20)

        #expect(throws: Never.self) {
            try registry.decode(
                file,
                options: DecodingOptions(targetSize: thumbnail, limits: limits)
            )
        }
        #expect(throws: ImageDecodingError.self) {
            try registry.decode(file, options: DecodingOptions(limits: limits))
        }
    }

    @Test func `the coefficients of a progressive JPEG count as memory`() throws {
        let picture = quarterPicture(width: 600, height: 400)
        // Too large for the DC coefficients, which come without the others.
        let options = DecodingOptions(
            targetSize: PixelSize(width: 60, height: 40),
            limits: DecodingLimits(maximumByteCount: 250_000)
        )
        let baseline = try JPEGEncoder.encode(picture, quality: 80, progressive: false)
        let progressive = try JPEGEncoder.encode(picture, quality: 80, progressive: true)

        #expect(throws: Never.self) { try registry.decode(baseline, options: options) }
        let error = #expect(throws: ImageDecodingError.self) {
            try registry.decode(progressive, options: options)
        }
        guard case .tooMuchMemory(let byteCount, limit: 250_000) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // 600×400 pixels at 4:2:0 are 1.5 coefficients of 2 bytes each.
        #expect(byteCount > 720_000 && byteCount < 1_000_000)
    }

    // Too large for its first passes.
    @Test func `an interlaced PNG counts all of its pixels as memory`() throws {
        let file = try PNGEncoder.encode(quarterPicture(width: 600, height: 400), interlaced: true)

        #expect(throws: ImageDecodingError.self) {
            try registry.decode(
                file,
                options: DecodingOptions(
                    targetSize: PixelSize(width: 320, height: 220),
                    limits: DecodingLimits(maximumByteCount: 900_000)
                )
            )
        }
    }

    @Test func `a picture without height has no pixels`() throws {
        var file = try Fixtures.bytes(of: "444.jpg")
        let frame = try #require(Fixtures.offsets(of: 0xC0, in: file).first)
        file.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])

        #expect(throws: ImageDecodingError.empty) { try registry.probe(file) }
    }
}
