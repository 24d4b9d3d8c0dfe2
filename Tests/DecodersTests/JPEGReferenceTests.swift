@testable import DecoderContracts
@testable import Decoders
import Testing

/// All kinds of JPEG, compared with the results of ImageMagick (`Fixtures/README.md`).
@Suite struct JPEGReferenceTests {
    private static let kinds = [
        "444", "422", "420", "440", "411", "410", "gray", "rgb", "cmyk", "ycck", "restart",
        "progressive", "arithmetic", "arithmetic-progressive",
    ]

    @Test(arguments: kinds)
    func `full size equals ImageMagick's result`(kind: String) throws {
        let expected = try Self.reference("Scene/\(kind).ppm")

        let image = try Self.decoded(kind, target: nil)

        #expect(image.size == expected.size)
        #expect(image.maximumDifference(from: expected) <= 1)
    }

    @Test(arguments: kinds)
    func `half size equals ImageMagick's result`(kind: String) throws {
        let expected = try Self.reference("Scene/\(kind)-24x16.ppm")

        let image = try Self.decoded(kind, target: PixelSize(width: 24, height: 16))

        #expect(image.size == expected.size)
        #expect(image.maximumDifference(from: expected) <= 1)
    }

    /// In dark areas a sample of libjpeg is an average of encoded values and not of light; the
    /// difference is visible at edges.
    @Test(
        arguments: kinds,
        [PixelSize(width: 12, height: 8), PixelSize(width: 6, height: 4)]
    )
    func `smaller sizes are near ImageMagick's result`(kind: String, target: PixelSize) throws {
        let expected = try Self.reference("Scene/\(kind)-\(target.width)x\(target.height).ppm")

        let image = try Self.decoded(kind, target: target)

        #expect(image.size == expected.size)
        #expect(image.maximumDifference(from: expected) <= 10)
    }

    private static func decoded(_ kind: String, target: PixelSize?) throws -> PixelBuffer {
        let bytes = try Fixtures.bytes(of: "Scene/\(kind).jpg")
        return try JPEGDecoder().decode(bytes, options: DecodingOptions(targetSize: target)).pixels
    }

    /// Returns the image in a binary PPM file without comments.
    private static func reference(_ name: String) throws -> PixelBuffer {
        let bytes = try Fixtures.bytes(of: name)
        let header = bytes.split(maxSplits: 4, whereSeparator: { $0 == 0x20 || $0 == 0x0A })
        let words = header.prefix(4).map { String(decoding: $0, as: UTF8.self) }
        let (width, height) = (try #require(Int(words[1])), try #require(Int(words[2])))
        #expect(words[0] == "P6" && words[3] == "255", "\(name)")
        let pixels = bytes.suffix(width * height * 3)
        return PixelBuffer(width: width, height: height) { x, y in
            let start = pixels.startIndex + (y * width + x) * 3
            return Pixel(pixels[start], pixels[start + 1], pixels[start + 2])
        }
    }
}

/// If the outline considered no file valid, the contracts of the fuzzers would accept everything.
@Suite struct JPEGOutlineTests {
    @Test(arguments: ["JPEG", "JPEGFast"])
    func `only damaged progressive files have scans out of order`(folder: String) throws {
        let files = try DamageCorpus.files(in: folder)
        let isInOrder = Dictionary(
            uniqueKeysWithValues: files.map { ($0.name, JPEGOutline($0.bytes).isInOrder) }
        )
        let name = { (damage: String) in "\(folder)/jpeg-progressive-\(damage).jpg" }

        for damage in ["in-order", "more-behind-the-end", "fill-bytes-before-markers"] {
            #expect(isInOrder[name(damage)] == true, "\(damage)")
        }
        for damage in ["end-missing", "scan-missing", "scan-repeats", "last-scan-missing"] {
            #expect(isInOrder[name(damage)] == false, "\(damage)")
        }
    }

    @Test func `the DC scans of a progressive file are extracted`() throws {
        let file = try #require(
            DamageCorpus.files(in: "JPEGFast").first {
                $0.name.hasSuffix("progressive-in-order.jpg")
            }
        )
        let outline = JPEGOutline(file.bytes)

        let rest = outline.withDCAlone

        #expect(rest.suffix(2) == [0xFF, 0xD9])
        #expect(rest.count < file.bytes.count / 2)
        #expect(file.bytes.starts(with: rest.dropLast(2)))
        #expect(outline.tolerance > 0 && outline.isReadAtEighth(side: 6))
    }
}
