import Decoders
import Synchronization
import Testing

@Suite struct LimitTests {
    private let registry = DecoderRegistry.standard

    /// Returns a PNG that declares its size but contains almost no data.
    private func bomb(width: Int, height: Int, interlaced: Bool = false) -> [UInt8] {
        let header =
            PNGFile.number(width) + PNGFile.number(height) + [8, 2, 0, 0, interlaced ? 1 : 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + PNGFile.chunk("IHDR", header)
            + PNGFile.chunk("IDAT", PNGFile.deflated([0])) + PNGFile.chunk("IEND", [])
    }

    @Test func `a bomb of 60000×60000 pixels is refused by its header`() {
        let file = bomb(width: 60_000, height: 60_000)

        let error = #expect(throws: ImageDecodingError.self) {
            try registry.decode(file, options: DecodingOptions())
        }
        guard case .tooMuchMemory(let byteCount, limit: 512 << 20) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(byteCount > 60_000 * 60_000 * 4)
        // A small image needs memory for a few rows, but the file is too short for the pixels.
        #expect(throws: ImageDecodingError.truncated(.png)) {
            try registry.decode(
                file,
                options: DecodingOptions(targetSize: PixelSize(width: 40, height: 40))
            )
        }
    }

    @Test func `more pixels than can be added up are refused, whatever the limit`() {
        let side = Int(Int32.max)
        let size = PixelSize(width: side, height: side)

        #expect(throws: ImageDecodingError.tooManyPixels(size, limit: 1 << 40)) {
            try registry.decode(bomb(width: side, height: side), options: DecodingOptions())
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

    @Test func `pixels missing from a short file are not allocated`() {
        #expect(throws: ImageDecodingError.truncated(.png)) {
            try registry.decode(
                bomb(width: 9_000, height: 9_000, interlaced: true),
                options: DecodingOptions()
            )
        }
    }

    @Test func `a thumbnail of a plain PNG needs little memory, the full image all of it`() throws {
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
        // The target is too large to decode from the DC coefficients alone.
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

    // The target is too large to decode from the first passes alone.
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

    @Test func `an image without height has no pixels`() throws {
        var file = try Fixtures.bytes(of: "444.jpg")
        let frame = try #require(Fixtures.offsets(of: 0xC0, in: file).first)
        file.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])

        #expect(throws: ImageDecodingError.empty) { try registry.probe(file) }
    }
}

@Suite struct CancellationTests {
    /// Counts the cancellation checks of a decode, and cancels the decode after a number of checks.
    private final class Switch: Sendable {
        private let asked = Atomic<Int>(0)
        private let limit: Int

        init(stopAfter limit: Int) { self.limit = limit }

        var askedCount: Int { asked.load(ordering: .relaxed) }

        func isCancelled() -> Bool { asked.add(1, ordering: .relaxed).newValue > limit }
    }

    private static let files = Result { try noiseFiles(width: 160, height: 400) }

    @Test(arguments: 0..<4, [nil, PixelSize(width: 20, height: 20)])
    func `a decode ends when isCancelled first returns true`(index: Int, target: PixelSize?) throws
    {
        let file = try Self.files.get()[index]
        for stopAfter in 0..<3 {
            let stop = Switch(stopAfter: stopAfter)

            #expect(throws: ImageDecodingError.cancelled) {
                try DecoderRegistry.standard.decode(
                    file,
                    options: DecodingOptions(targetSize: target) { stop.isCancelled() }
                )
            }

            #expect(stop.askedCount == stopAfter + 1)
        }
    }

    @Test(arguments: 0..<4)
    func `a full decode calls isCancelled at least every 16 rows`(index: Int) throws {
        let file = try Self.files.get()[index]
        let stop = Switch(stopAfter: .max)

        _ = try DecoderRegistry.standard.decode(
            file,
            options: DecodingOptions { stop.isCancelled() }
        )

        #expect(stop.askedCount >= 400 / 16)
    }
}
