import Testing

@testable import Decoders

/// Bitmaps, icons and JPEG files that browsers and other programs show, but few programs write.
@Suite struct UnusualBitmapTests {
    private let registry = DecoderRegistry.standard

    private static func number(_ value: Int, _ byteCount: Int = 4) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private func pixels(_ file: [UInt8]) throws -> PixelBuffer {
        try registry.decode(file, options: DecodingOptions()).pixels
    }

    // MARK: - BMP

    @Test func `pixels that no run contains are black`() throws {
        // Rows are stored from bottom to top: 3 pixels and the end of the row, a jump by 2 and 1, 4
        // pixels, and the end.
        let runs: [UInt8] = [3, 1, 0, 0, 0, 2, 2, 1, 4, 1, 0, 1]
        let palette: [UInt8] = [40, 50, 60, 0, 10, 20, 30, 0]
        let header =
            Self.number(40) + Self.number(8) + Self.number(4) + [1, 0, 8, 0] + Self.number(1)
            + Self.number(runs.count) + Self.number(0) + Self.number(0) + Self.number(2)
            + Self.number(2)
        let file =
            Array("BM".utf8) + Self.number(62 + runs.count) + Self.number(0) + Self.number(62)
            + header + palette + runs

        let image = try pixels(file)

        let shown = (0..<4).map { y in (0..<8).filter { image[$0, y] == Pixel(30, 20, 10) } }
        #expect(shown == [[], [2, 3, 4, 5], [], [0, 1, 2]])
        #expect(image[0, 0] == Pixel(0, 0, 0) && !image.hasAlpha)
    }

    @Test func `the profile in a bitmap is applied`() throws {
        let profile = ICCFile.adobeRGB.encoded()
        func file(profileOffset: Int, profileByteCount: Int, type: String = "DEBM") -> [UInt8] {
            let start =
                Self.number(124) + Self.number(1) + Self.number(1) + [1, 0, 24, 0]
                + [UInt8](repeating: 0, count: 40) + Array(type.utf8)
            let header =
                start + [UInt8](repeating: 0, count: 112 - start.count)
                + Self.number(profileOffset) + Self.number(profileByteCount) + Self.number(0)
            return Array("BM".utf8) + Self.number(0) + Self.number(0) + Self.number(138) + header
                + [40, 120, 200, 0] + profile
        }
        let png = PNGFile(colorType: .rgb, depth: 8, width: 1, height: 1) { _, _ in [200, 120, 40] }
        var profiled = png
        profiled.chunks = [("iCCP", ICCParts.chunk(profile))]

        let image = try pixels(file(profileOffset: 128, profileByteCount: profile.count))

        #expect(try image == pixels(profiled.encoded()))
        #expect(image[0, 0] != Pixel(200, 120, 40))
        for (offset, count) in [(0, 0), (128, Int(UInt32.max)), (Int(UInt32.max), 1), (128, 4)] {
            let plain = try pixels(file(profileOffset: offset, profileByteCount: count))
            #expect(plain[0, 0] == Pixel(200, 120, 40))
        }
    }

    // MARK: - Icons

    @Test func `a JPEG in an icon is shown`() throws {
        let jpeg = try Fixtures.bytes(of: "444.jpg")
        let icon =
            [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 24, 0] + Self.number(jpeg.count)
            + Self.number(22) + jpeg

        let image = try registry.decode(icon, options: DecodingOptions())

        #expect(image.properties.format == .ico)
        #expect(try image.pixels == pixels(jpeg))
        #expect(throws: ImageDecodingError.truncated(.ico)) {
            try registry.decode(Array(icon.dropLast(icon.count / 2)), options: DecodingOptions())
        }
    }

    // MARK: - JPEG

    @Test(
        arguments: [
            [0x0D, 0x0A], [0], [UInt8](repeating: 0, count: 500), [0x0A, 0, 0x0D],
        ] as [[UInt8]]
    )
    func `line breaks and zeros before and in a JPEG are skipped`(padding: [UInt8]) throws {
        for name in ["444.jpg", "progressive.jpg"] {
            let jpeg = try Fixtures.bytes(of: name)
            let expected = try pixels(jpeg)
            let tables = try #require(jpeg.firstRange(of: [0xFF, 0xDB])).lowerBound

            for file in [
                padding + jpeg, Array(jpeg[..<2]) + padding + jpeg[2...],
                Array(jpeg[..<tables]) + padding + jpeg[tables...],
            ] {
                #expect(registry.format(of: Array(file.prefix(1_024))) == .jpeg)
                #expect(try pixels(file) == expected)
                #expect(try registry.probe(file).size == expected.size)
                var decoder = IncrementalDecoder(
                    options: DecodingOptions(),
                    registry: registry,
                    expected: file.count
                )
                for start in stride(from: 0, to: file.count, by: 700) {
                    _ = decoder.append(Array(file[start..<min(file.count, start + 700)]))
                }
                #expect(try decoder.finish().pixels == expected)
            }
        }
    }

    @Test(
        arguments: [
            [0], [0x0D, 0x0A], [UInt8](repeating: 0, count: 600), [0, 0xFF], [0xFF, 0xD8],
        ] as [[UInt8]]
    )
    func `zeros alone are no JPEG`(start: [UInt8]) {
        #expect(registry.format(of: start) == nil)
    }
}
