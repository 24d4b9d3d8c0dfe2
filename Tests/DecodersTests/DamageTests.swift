import Decoders
import Testing

@Suite struct DamageTests {
    private static let fixtures = [
        "444", "420", "gray", "progressive", "restart", "arithmetic", "scans", "cmyk", "ycck",
    ]

    private let registry = DecoderRegistry.standard

    /// Returns files of noise, so that compressed data is most of each file.
    private func pngFiles() throws -> [[UInt8]] {
        let picture = noise(width: 40, height: 30, hasAlpha: true, seed: 11)
        return try [false, true].map { try PNGEncoder.encode(picture, interlaced: $0) }
    }

    private func jpegFiles() throws -> [[UInt8]] {
        let picture = noise(width: 64, height: 48, hasAlpha: false, seed: 12)
        return try [false, true].map {
            try JPEGEncoder.encode(picture, quality: 90, progressive: $0)
        }
    }

    @Test(arguments: [nil, PixelSize(width: 8, height: 8)])
    func `a file cut at each eighth is truncated`(target: PixelSize?) throws {
        for file in try pngFiles() + jpegFiles() {
            for eighth in 1...7 {
                let cut = Array(file.prefix(file.count * eighth / 8))
                let error = #expect(throws: ImageDecodingError.self) {
                    try registry.decode(cut, options: DecodingOptions(targetSize: target))
                }
                let format = DecoderRegistry.standard.format(of: file) ?? .png
                #expect(error == .truncated(format), "\(eighth)/8 of \(format)")
            }
        }
    }

    @Test func `a file of magic bytes alone is truncated`() throws {
        #expect(throws: ImageDecodingError.truncated(.jpeg)) {
            try registry.probe([0xFF, 0xD8, 0xFF])
        }
        #expect(throws: ImageDecodingError.truncated(.png)) {
            try registry.probe([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        }
    }

    @Test func `a wrong checksum in the pixels is corrupt data`() throws {
        for var file in try pngFiles() {
            file[file.count / 2] ^= 0x55

            let error = #expect(throws: ImageDecodingError.self) {
                try registry.decode(file, options: DecodingOptions())
            }
            guard case .corrupt(.png, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `a marker in the middle of the pixels is corrupt data`() throws {
        var file = try jpegFiles()[0]
        let middle = file.count / 2
        file.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xD9])

        let error = #expect(throws: ImageDecodingError.self) {
            try registry.decode(file, options: DecodingOptions())
        }
        guard case .corrupt(.jpeg, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: 0..<40)
    func `flipped bytes give an image or a decoding error`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let limits = DecodingLimits(maximumPixelCount: 100_000, maximumByteCount: 4 << 20)
        let fixtures = try Self.fixtures.map { try Fixtures.bytes(of: $0 + ".jpg") }
        for file in try fixtures + pngFiles() + jpegFiles() {
            var damaged = file
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                damaged[Int.random(in: 3..<file.count, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }
            let target = Bool.random(using: &generator) ? nil : PixelSize(width: 7, height: 9)
            do throws(ImageDecodingError) {
                let image = try registry.decode(
                    damaged,
                    options: DecodingOptions(targetSize: target, limits: limits)
                )
                #expect(!image.pixels.size.isEmpty, "seed \(seed)")
            } catch {
                #expect(!error.description.isEmpty, "seed \(seed)")
            }
        }
    }
}
