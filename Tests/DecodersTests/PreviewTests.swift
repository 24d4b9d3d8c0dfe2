import Decoders
import Testing

/// Previews of a file that is still arriving (rows V12, O5, M41).
@Suite struct PreviewTests {
    private static let size = PixelSize(width: 160, height: 120)

    private static let kinds: [(name: String, bytes: [UInt8])] = [
        ("baseline JPEG", encodedJPEG(isProgressive: false)),
        ("progressive JPEG", encodedJPEG(isProgressive: true)),
        ("plain PNG", encodedPNG(isInterlaced: false)),
        ("interlaced PNG", encodedPNG(isInterlaced: true)),
    ]

    // O5
    @Test(arguments: kinds.indices)
    func `a partial file of any length gives a preview or reports that it is too short`(
        kind: Int
    ) throws {
        let (name, bytes) = Self.kinds[kind]

        for count in stride(from: 0, through: bytes.count, by: 97) {
            let prefix = Array(bytes.prefix(count))
            do throws(ImageDecodingError) {
                let image = try DecoderRegistry.standard.decode(prefix, options: Self.preview)
                #expect(image.pixels.size == PixelSize(width: 40, height: 30), "\(name) \(count)")
            } catch {
                switch error {
                case .truncated, .unsupportedFormat: break
                default: Issue.record("\(name) at \(count): \(error)")
                }
            }
        }
    }

    @Test(arguments: kinds.indices)
    func `half of a file gives a preview`(kind: Int) throws {
        let (_, bytes) = Self.kinds[kind]

        let image = try DecoderRegistry.standard.decode(
            Array(bytes.prefix(bytes.count / 2)),
            options: Self.preview
        )

        #expect(image.pixels.bytes.contains { $0 != 0 })
    }

    @Test(arguments: kinds.indices)
    func `a whole file gives the same pixels as without previews`(kind: Int) throws {
        let (_, bytes) = Self.kinds[kind]
        var plain = Self.preview
        plain.acceptsTruncation = false

        let preview = try DecoderRegistry.standard.decode(bytes, options: Self.preview)
        let image = try DecoderRegistry.standard.decode(bytes, options: plain)

        #expect(preview.pixels.bytes == image.pixels.bytes)
    }

    @Test(arguments: [0, 2])
    func `rows that were not received are transparent`(kind: Int) throws {
        let (_, bytes) = Self.kinds[kind]

        let image = try DecoderRegistry.standard.decode(
            Array(bytes.prefix(bytes.count / 2)),
            options: Self.preview
        )

        #expect(image.pixels.hasAlpha)
        #expect(image.pixels.bytes[3] == 255)
        #expect(image.pixels.bytes.last == 0)
    }

    @Test(arguments: [1, 3])
    func `60 % of a file with several passes give a complete image near the final one`(
        kind: Int
    ) throws {
        let (_, bytes) = Self.kinds[kind]
        let picture = try DecoderRegistry.standard.decode(bytes, options: Self.preview)

        let preview = try DecoderRegistry.standard.decode(
            Array(bytes.prefix(bytes.count * 6 / 10)),
            options: Self.preview
        )

        #expect(
            stride(from: 3, to: preview.pixels.bytes.count, by: 4)
                .allSatisfy { preview.pixels.bytes[$0] == 255 }
        )
        let difference = zip(preview.pixels.bytes, picture.pixels.bytes)
            .map { abs(Int($0) - Int($1)) }
            .reduce(0, +)
        #expect(difference / preview.pixels.bytes.count < 8)
    }

    @Test func `damage is refused in a preview too`() {
        var bytes = Self.encodedPNG(isInterlaced: false)
        for index in bytes.count / 3..<bytes.count / 3 + 40 { bytes[index] ^= 0x5A }

        #expect(throws: ImageDecodingError.self) {
            try DecoderRegistry.standard.decode(bytes, options: Self.preview)
        }
    }

    private static let preview = DecodingOptions(
        targetSize: PixelSize(width: 40, height: 30),
        acceptsTruncation: true
    )

    private static let pixels = PixelBuffer(
        size: size,
        bytes: (0..<size.pixelCount).flatMap { index -> [UInt8] in
            let (x, y) = (index % size.width, index / size.width)
            return [
                UInt8(x * 255 / size.width), UInt8(y * 255 / size.height), UInt8(x ^ y & 63), 255,
            ]
        },
        hasAlpha: false
    )

    private static func encodedJPEG(isProgressive: Bool) -> [UInt8] {
        (try? JPEGEncoder.encode(pixels, quality: 90, progressive: isProgressive)) ?? []
    }

    private static func encodedPNG(isInterlaced: Bool) -> [UInt8] {
        (try? PNGEncoder.encode(pixels, interlaced: isInterlaced)) ?? []
    }
}
