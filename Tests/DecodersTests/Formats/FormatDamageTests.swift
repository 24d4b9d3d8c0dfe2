import Decoders
import Testing

/// Damaged files that browsers, or the programs of their formats, show.
@Suite struct FormatDamageTests {
    private let registry = DecoderRegistry.standard

    private func shown(_ file: [UInt8]) throws -> DecodedImage {
        #expect(throws: ImageDecodingError.self) {
            try registry.decode(file, options: DecodingOptions())
        }
        let image = try registry.decode(file, options: DecodingOptions(acceptsDamage: true))
        #expect(image.damage != nil)
        return image
    }

    private func whole(_ name: String) throws -> (file: [UInt8], pixels: PixelBuffer) {
        let file = try Fixtures.bytes(of: "Formats/\(name)")
        return (file, try registry.decode(file, options: DecodingOptions()).pixels)
    }

    @Test func `a JPEG XL that is cut shows the received parts`() throws {
        let (file, pixels) = try whole("groups.jxl")

        // The first part, of 256 by 256 pixels, is 84 % of the file.
        let image = try shown(Array(file.prefix(file.count * 9 / 10)))

        #expect(image.damage == .truncated(.jpegXL))
        let equal = (0..<100).filter { image.pixels[$0, $0] == pixels[$0, $0] }
        #expect(equal.count > 90)
    }

    @Test func `a JPEG XL with a broken part shows the others`() throws {
        var (file, pixels) = try whole("groups.jxl")
        // After the first part.
        for place in (file.count - 600)..<(file.count - 500) { file[place] ^= 0x55 }

        let image = try shown(file)

        #expect(image.damage?.description.contains("JPEG XL") == true)
        let equal = (0..<100).filter { image.pixels[$0, $0] == pixels[$0, $0] }
        #expect(equal.count > 90)
    }

    @Test func `a TIFF with a broken strip shows the strips before and after it`() throws {
        var (file, pixels) = try whole("strips.tiff")
        // The second strip, rows 8 to 15.
        for place in 1_200..<1_300 { file[place] = 0xFF }

        let image = try shown(file)

        let broken = image.pixels.size.width * 4 * 8
        #expect(image.pixels.bytes.prefix(broken) == pixels.bytes.prefix(broken))
        #expect(image.pixels.bytes.dropFirst(2 * broken) == pixels.bytes.dropFirst(2 * broken))
    }

    @Test func `a QOI with bytes after its last pixel is damaged`() throws {
        let (file, pixels) = try whole("rgb.qoi")
        let end = file.count - 8

        let image = try shown(Array(file[..<end]) + [0xC0, 0xC0] + Array(file[end...]))

        #expect(image.pixels.bytes == pixels.bytes)
        #expect(try shown(Array(file[..<end])).damage == .truncated(.qoi))
    }

    /// As browsers show it: a row that a later pass would have brought looks like the one above.
    @Test func `an interlaced GIF that is cut has no gaps`() throws {
        let (file, pixels) = try whole("interlaced.gif")

        let image = try shown(Array(file.prefix(file.count * 6 / 10)))

        let opaque = stride(from: 3, to: image.pixels.bytes.count, by: 4)
            .allSatisfy { image.pixels.bytes[$0] == 255 }
        #expect(opaque)
        let rowByteCount = pixels.size.width * 4
        for row in stride(from: 0, to: pixels.size.height, by: 8) {
            let range = row * rowByteCount..<(row + 1) * rowByteCount
            #expect(image.pixels.bytes[range] == pixels.bytes[range])
        }
    }
}
