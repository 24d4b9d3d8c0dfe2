import PropertyRuns
import Testing

@testable import Decoders

/// Photoshop documents written by hand.
@Suite struct PSDTests {
    private let registry = DecoderRegistry.standard
    private typealias Mode = PSDFile.Mode

    private func pixels(_ file: PSDFile) throws -> [UInt8] {
        let image = try registry.decode(file.bytes, options: DecodingOptions())
        #expect(image.properties.format == .psd && image.isFinal)
        #expect(try registry.probe(file.bytes) == image.properties)
        return image.pixels.bytes
    }

    /// Three channels of two rows with two pixels.
    private static let colors = PSDFile(
        channels: [[[1, 1], [4, 5]], [[2, 2], [6, 7]], [[3, 3], [8, 8]]]
    )
    private static let expected: [UInt8] = [1, 2, 3, 255, 1, 2, 3, 255, 4, 6, 8, 255, 5, 7, 8, 255]

    @Test(arguments: [false, true], [0, 1])
    func `channels are stored one after another`(isLarge: Bool, compression: Int) throws {
        var file = Self.colors
        (file.isLarge, file.compression) = (isLarge, compression)

        #expect(try pixels(file) == Self.expected)
    }

    @Test func `samples of 16 bits are rounded`() throws {
        let file = PSDFile(
            mode: Mode.gray,
            width: 4,
            channels: [[[0, 0, 0x7F, 0xFF, 0x80, 0, 0xFF, 0xFF]]],
            depth: 16
        )

        let bytes = try pixels(file)

        #expect(stride(from: 0, to: 16, by: 4).map { bytes[$0] } == [0, 127, 128, 255])
    }

    @Test func `samples of 32 bits are linear light`() throws {
        let values: [Float] = [-1, 0, 0.25, 0.5, 1, 7, .nan, .infinity]
        let row = values.flatMap { RAWFile.big(Int($0.bitPattern)) }
        let file = PSDFile(mode: Mode.gray, width: 8, channels: [[row]], depth: 32)

        let bytes = try pixels(file)

        // The sRGB curve gives 136.96 for 0.25 and 187.52 for 0.5.
        let levels = stride(from: 0, to: 32, by: 4).map { bytes[$0] }
        #expect(levels == [0, 0, 137, 188, 255, 255, 0, 255])
    }

    @Test(arguments: [PSDFile.Mode.gray, PSDFile.Mode.duotone])
    func `gray and duotone images are gray`(mode: Int) throws {
        let file = PSDFile(mode: mode, channels: [[[9, 200]]], colorData: [1, 2, 3])

        #expect(try pixels(file) == [9, 9, 9, 255, 200, 200, 200, 255])
    }

    @Test func `the bit 1 of a bitmap is black`() throws {
        let file = PSDFile(mode: Mode.bitmap, width: 9, channels: [[[0xA0, 0x80]]], depth: 1)

        let bytes = try pixels(file)

        let levels = stride(from: 0, to: 36, by: 4).map { bytes[$0] }
        #expect(levels == [0, 255, 0, 255, 255, 255, 255, 255, 0])
    }

    @Test func `the palette contains all red values, then green, then blue`() throws {
        let palette = (0..<256).map { UInt8($0) } + (0..<256).map { UInt8(255 - $0) }
        let file = PSDFile(
            mode: Mode.indexed,
            channels: [[[3, 250]]],
            colorData: palette + [UInt8](repeating: 7, count: 256)
        )

        #expect(try pixels(file) == [3, 252, 7, 255, 250, 5, 7, 255])
    }

    @Test func `CMYK samples are the light that the inks transmit`() throws {
        let file = PSDFile(
            mode: Mode.cmyk,
            width: 3,
            channels: [[[255, 0, 255]], [[255, 255, 255]], [[255, 255, 0]], [[255, 255, 128]]]
        )

        #expect(
            try pixels(file) == [255, 255, 255, 255, 0, 255, 255, 255, 128, 128, 0, 255]
        )
    }

    /// The expected colors were calculated with the formulas of CIE 15 and IEC 61966-2-1.
    @Test func `L*a*b* colors are converted to sRGB`() throws {
        let file = PSDFile(
            mode: Mode.lab,
            width: 4,
            channels: [[[255, 138, 83, 180]], [[128, 209, 196, 90]], [[128, 198, 20, 150]]]
        )
        let colors: [[UInt8]] = [
            [255, 255, 255, 255], [255, 0, 0, 255], [57, 12, 255, 255], [102, 191, 130, 255],
        ]
        #expect(try pixels(file) == Array(colors.joined()))
        var deep = file
        deep.depth = 16
        // L* has the range 0 to 65,535; a* and b* have 8 bits after the point.
        deep.channels = file.channels.enumerated().map { index, rows in
            rows.map { row in row.flatMap { index == 0 ? [$0, $0] : [$0, 0] } }
        }
        #expect(try pixels(deep) == Array(colors.joined()))
    }

    @Test(arguments: [false, true])
    func `transparency is used if the layers declare it`(isLarge: Bool) throws {
        var file = PSDFile(channels: [[[10, 200]], [[20, 127]], [[30, 255]], [[255, 128]]])
        file.isLarge = isLarge
        #expect(try pixels(file) == [10, 20, 30, 255, 200, 127, 255, 255])

        file.layers = PSDFile.transparency(isLarge: isLarge)

        // The colors are blended with white: 200 = 145 * 128 / 255 + 127.
        #expect(try pixels(file) == [10, 20, 30, 255, 145, 0, 255, 128])
    }

    @Test(arguments: [false, true])
    func `the layers of 16-bit channels declare transparency in a block`(isLarge: Bool) throws {
        let file = PSDFile(
            mode: Mode.gray,
            width: 1,
            channels: [[[0xFF, 0xFF]], [[0x40, 0x40]]],
            depth: 16,
            isLarge: isLarge,
            layers: PSDFile.deepTransparency(isLarge: isLarge)
        )

        #expect(try pixels(file) == [255, 255, 255, 64])
    }

    @Test func `a block of layers that ends far behind the file is ignored`() {
        let start = PSDFile(channels: [[[1]], [[2]], [[3]]], isLarge: true).bytes.prefix(34)
        let layers = RAWFile.big(.max, 8) + RAWFile.big(0, 8) + RAWFile.big(0)
        for length in Int.max - 100...Int.max {
            let block = Array("8BIMLMsk".utf8) + RAWFile.big(length, 8)
            #expect(throws: ImageDecodingError.truncated(.psd)) {
                try DecoderRegistry.standard.decode(
                    start + layers + block,
                    options: DecodingOptions()
                )
            }
        }
    }

    @Test func `the ICC profile is used`() throws {
        var file = PSDFile(width: 1, channels: [[[200]], [[50]], [[50]]])
        file.resources = [(1_005, [1, 2, 3]), (1_039, ICCFile.displayP3.encoded())]

        // The exact color in sRGB is 217.9, 23.7, 40.0.
        #expect(try pixels(file) == [218, 24, 40, 255])
        var options = DecodingOptions()
        options.limits.maximumMetadataByteCount = 100
        let error = #expect(throws: ImageDecodingError.self) {
            try registry.decode(file.bytes, options: options)
        }
        #expect(error?.isLimit == true)
    }

    @Test func `unsupported documents are refused with the reason`() throws {
        func reason(_ change: (inout PSDFile) -> Void) -> String? {
            var file = Self.colors
            change(&file)
            let error = #expect(throws: ImageDecodingError.self) {
                try registry.decode(file.bytes, options: DecodingOptions())
            }
            return error?.description
        }

        for compression in [2, 3] {
            #expect(
                reason { $0.compression = compression }
                    == "PSD: merged image with ZIP compression not supported"
            )
        }
        #expect(
            reason { $0.mode = Mode.multichannel } == "PSD: multichannel color not supported"
        )
        #expect(
            reason { $0.resources = [(1_057, [0, 0, 0, 1, 0, 0])] }
                == "PSD: documents saved without Maximize Compatibility not supported"
        )
        #expect(
            reason { $0.depth = 1 }
                == "PSD: 1-bit channels in this color mode not supported"
        )
        #expect(reason { $0.mode = 5 } == "corrupt PSD: color mode 5")
        #expect(reason { $0.compression = 4 } == "corrupt PSD: compression 4")
        #expect(reason { $0.channelCount = 2 } == "corrupt PSD: 2 channels")
        #expect(reason { $0.channelCount = 57 } == "corrupt PSD: 57 channels")
        #expect(reason { $0.width = 0 } == "image has no pixels")
        #expect(reason { $0.mode = Mode.indexed } == "corrupt PSD: palette of 0 bytes")
    }

    @Test func `the version resource may declare that there is a merged image`() throws {
        var file = Self.colors
        file.resources = [(1_057, [0, 0, 0, 1, 1, 0])]

        #expect(try pixels(file) == Self.expected)
    }

    @Test func `a row of too few samples is damage, and the rows before it are shown`() throws {
        var file = Self.colors
        // The second of three rows of the last channel is a run of 2 bytes.
        file.channels = file.channels.map { $0 + [[9, 9]] }
        file.compression = 1
        var bytes = file.bytes
        bytes[bytes.count - 5] = 0

        #expect(throws: ImageDecodingError.corrupt(.psd, "row with too few samples")) {
            try registry.decode(bytes, options: DecodingOptions())
        }
        let image = try registry.decode(bytes, options: DecodingOptions(acceptsDamage: true))

        #expect(image.pixels.bytes.prefix(8) == Self.expected.prefix(8))
        #expect(image.pixels.bytes.suffix(16).allSatisfy { $0 == 0 })
    }

    /// One document for each code path.
    private static var files: [PSDFile] {
        var deep = PSDFile(
            mode: Mode.gray,
            width: 1,
            channels: [[[1, 2]], [[3, 4]]],
            depth: 16,
            isLarge: true,
            layers: PSDFile.deepTransparency(isLarge: true),
            compression: 1
        )
        deep.resources = [(1_039, ICCFile.displayP3.encoded()), (1_057, [0, 0, 0, 1, 1, 0])]
        let palette = [UInt8](repeating: 9, count: 768)
        return [
            colors, deep,
            PSDFile(mode: Mode.indexed, channels: [[[3, 250]]], colorData: palette),
            PSDFile(mode: Mode.cmyk, width: 1, channels: [[[1]], [[2]], [[3]], [[4]]]),
            PSDFile(mode: Mode.lab, width: 1, channels: [[[1]], [[2]], [[3]]], compression: 1),
        ]
    }

    @Test func `a file cut at any byte never gives the whole image`() throws {
        for file in Self.files {
            let bytes = file.bytes
            #expect(throws: Never.self) { try registry.decode(bytes, options: DecodingOptions()) }
            for count in stride(from: 0, to: bytes.count, by: PropertyRuns.isSanitized ? 7 : 1) {
                let cut = Array(bytes.prefix(count))
                #expect(throws: ImageDecodingError.self) {
                    try registry.decode(cut, options: DecodingOptions())
                }
                _ = try? registry.decode(cut, options: DecodingOptions(acceptsDamage: true))
            }
        }
    }

    @Test(arguments: [0, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, .max])
    func `extreme numbers in any field give an image or an error`(value: Int) throws {
        let options = DecodingOptions(
            targetSize: PixelSize(width: 9, height: 9),
            limits: DecodingLimits(maximumByteCount: 16 << 20),
            acceptsDamage: true
        )
        for file in Self.files {
            let bytes = file.bytes
            for place in stride(from: 4, to: bytes.count, by: PropertyRuns.isSanitized ? 9 : 1) {
                for byteCount in [2, 4, 8] where place + byteCount <= bytes.count {
                    var changed = bytes
                    changed.replaceSubrange(
                        place..<place + byteCount,
                        with: RAWFile.big(value, byteCount)
                    )
                    _ = try? registry.decode(changed, options: options)
                }
            }
        }
    }

    @Test func `cancellation ends decoding`() {
        #expect(throws: ImageDecodingError.cancelled) {
            try registry.decode(
                Self.colors.bytes,
                options: DecodingOptions(isCancelled: { true })
            )
        }
    }
}
