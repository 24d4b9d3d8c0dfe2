#if HEIF
import Testing

@testable import Decoders

/// AVIF and HEIC files that contain a sequence.
@Suite struct SequenceTests {
    /// Returns a box of ISO/IEC 14496-12.
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        TIFFFile.number(content.count + 8).reversed() + Array(type.utf8) + content
    }

    /// Returns a "ftyp" box that is as long as the one at the start of `file`.
    private static func brands(_ names: [String], in file: [UInt8]) -> [UInt8] {
        let length = file[..<4].reduce(0) { $0 << 8 | Int($1) }
        var content = Array(names[0].utf8) + [0, 0, 0, 0]
        for name in names.dropFirst() { content += Array(name.utf8) }
        while content.count + 8 < length { content += Array("miaf".utf8) }
        return box("ftyp", content) + file.dropFirst(length)
    }

    private static let movie = box("moov", [UInt8](repeating: 0, count: 16))

    @Test(arguments: [["avis", "msf1"], ["avis", "avif"], ["avis", "avis", "miaf"]])
    func `the still image of an AVIF sequence is shown`(names: [String]) throws {
        let still = try Fixtures.bytes(of: "Formats/photo.avif")
        let file = Self.brands(names, in: still) + Self.movie

        let image = try DecoderRegistry.standard.decode(file, options: DecodingOptions())

        #expect(image.properties.format == .avif && image.damage == nil)
        #expect(
            try image.pixels
                == DecoderRegistry.standard.decode(still, options: DecodingOptions()).pixels
        )
    }

    /// "turned.avif" is rotated, and shown upright.
    @Test(arguments: [
        ("turned.avif", ["avis", "msf1"]), ("photo.heic", ["hevc", "hevc"]),
    ])
    func `the still image of a rotated or HEIC sequence is shown`(
        name: String,
        brands: [String]
    ) throws {
        let still = try Fixtures.bytes(of: "Formats/\(name)")
        let file = Self.brands(brands, in: still)

        let image = try DecoderRegistry.standard.decode(file, options: DecodingOptions())

        #expect(
            try image.pixels
                == DecoderRegistry.standard.decode(still, options: DecodingOptions()).pixels
        )
    }

    private static let refused: [(bytes: [UInt8], error: ImageDecodingError)] = [
        (
            box("ftyp", Array("avis".utf8) + [0, 0, 0, 0] + Array("avismsf1".utf8)) + movie,
            .unsupportedFeature(.avif, "a sequence without a still image")
        ),
        (
            box("ftyp", Array("msf1".utf8) + [0, 0, 0, 0] + Array("hevcmsf1".utf8)) + movie,
            .unsupportedFeature(.heic, "a sequence without a still image")
        ),
    ]

    @Test(arguments: refused.indices)
    func `a file without a still image that libheif can read is refused with the reason`(
        index: Int
    ) {
        let (bytes, error) = Self.refused[index]

        #expect(throws: error) {
            try DecoderRegistry.standard.decode(bytes, options: DecodingOptions())
        }
    }

    @Test(arguments: refused.indices)
    func `no cut of such a file is shown or crashes`(index: Int) {
        let bytes = Self.refused[index].bytes

        for count in 1..<bytes.count {
            #expect(throws: ImageDecodingError.self) {
                try DecoderRegistry.standard.decode(
                    Array(bytes.prefix(count)),
                    options: DecodingOptions()
                )
            }
        }
    }
}
#endif
