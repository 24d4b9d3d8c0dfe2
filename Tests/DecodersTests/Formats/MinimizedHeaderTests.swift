#if HEIF
import Testing

@testable import Decoders

/// AVIF and HEIC files with a minimized header, made from files with the usual boxes.
@Suite struct MinimizedHeaderTests {
    /// The fields of a minimized header, which are written without gaps (ISO/IEC 23008-12, annex O).
    private struct Header {
        var brand = "avif"
        var version = 0
        var size: PixelSize
        var orientation = 1
        var config: [UInt8]
        var image: [UInt8]
        var alphaConfig: [UInt8] = []
        var alpha: [UInt8] = []
        /// Whether everything optional that does not change the image is present.
        var isFull = false

        private var bits: [Bool] = []

        init(size: PixelSize, config: [UInt8], image: [UInt8]) {
            (self.size, self.config, self.image) = (size, config, image)
        }

        private mutating func put(_ value: Int, _ count: Int) {
            bits += (0..<count).reversed().map { value >> $0 & 1 == 1 }
        }

        private mutating func putLuminance() {
            put(0b111111, 6)
            put(1000, 16)
            put(200, 16)
            put(0, 192)
            // The volume of colors, with its primaries and two of three luminances.
            put(0b001_101_00, 8)
            put(0, 192 + 64)
            put(0, 64 + 128 + 32)
        }

        /// The file.
        mutating func bytes() -> [UInt8] {
            bits = []
            let isLarge = size.width > 128 || config.count > 7
            put(version, 2)
            put(isFull ? 1 : 0, 1)
            put(0b01, 2)
            put(alpha.isEmpty ? 0 : 1, 1)
            put(isFull ? 0b11111 : 0, 5)
            // All samples of 4:4:4, or 4:2:0 in HEIC.
            put(brand == "avif" ? 3 : 1, 2)
            put(orientation - 1, 3)
            put(isLarge ? 1 : 0, 1)
            put(size.width - 1, isLarge ? 15 : 7)
            put(size.height - 1, isLarge ? 15 : 7)
            if brand == "heic" { put(0, 2) }
            put(0, 1)
            if !alpha.isEmpty { put(0, 1) }
            if isFull {
                for code in [1, 13, 6] { put(code, 8) }
                for byte in "av01av1C".utf8 { put(Int(byte), 8) }
                // A gain map of 4:2:0 with 10 bits, its own profile and its own color codes.
                put(1, 1)
                put(0, (isLarge ? 30 : 14) + 9)
                put(1, 2)
                put(0, 2)
                put(0b01_001_1_1, 7)
                put(0, 25)
                putLuminance()
                putLuminance()
                put(0, 1)
            }
            put(isLarge ? 1 : 0, 1)
            put(0, 1)
            if isFull {
                for count in [3, 4, 5] { put(count - (count == 5 ? 0 : 1), 10) }
                put(6, 15)
                put(0, isLarge ? 12 : 3)
            }
            put(config.count, isLarge ? 12 : 3)
            put(image.count - 1, 15)
            if !alpha.isEmpty {
                put(alpha.count, 15)
                put(alphaConfig.count, isLarge ? 12 : 3)
            }
            if isFull {
                put(0, 1)
                put(7 - 1, 10)
                put(8 - 1, 10)
            }
            while bits.count % 8 > 0 { bits.append(false) }
            var content = stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            }
            func filler(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }
            content += config + alphaConfig
            // The profiles are unusable, so the color codes count.
            if isFull { content += filler(3 + 4 + 5) }
            content += alpha
            if isFull { content += filler(6) }
            content += image
            if isFull { content += filler(7 + 8) }
            return box("ftyp", Array("mif3\(brand)".utf8)) + box("mini", content)
        }

        private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            TIFFFile.number(content.count + 8).reversed() + Array(type.utf8) + content
        }
    }

    /// Returns the content of the boxes of a type, wherever they are.
    private static func contents(of type: String, in file: [UInt8]) -> [[UInt8]] {
        (4..<file.count - 4).filter { file[$0..<$0 + 4].elementsEqual(type.utf8) }.map { start in
            let count = file[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
            return Array(file[start + 4..<start - 4 + count])
        }
    }

    private static func header(of name: String, size: PixelSize) throws -> (Header, [UInt8]) {
        let file = try Fixtures.bytes(of: "Formats/\(name)")
        let type = name.hasSuffix("avif") ? "av1C" : "hvcC"
        let configs = contents(of: type, in: file)
        let data = try #require(contents(of: "mdat", in: file).first)
        var header = Header(size: size, config: configs[0], image: data)
        header.brand = type == "av1C" ? "avif" : "heic"
        return (header, file)
    }

    private static let size = PixelSize(width: 48, height: 36)

    private func decode(_ bytes: [UInt8]) throws -> DecodedImage {
        try DecoderRegistry.standard.decode(bytes, options: DecodingOptions())
    }

    @Test(arguments: [false, true])
    func `an image with a minimized header is the same image`(isFull: Bool) throws {
        var (header, usual) = try Self.header(of: "photo.avif", size: Self.size)
        header.isFull = isFull

        let image = try decode(header.bytes())

        #expect(image.properties.format == .avif && image.isFinal && image.damage == nil)
        #expect(try image.pixels == decode(usual).pixels)
    }

    @Test func `the alpha of a minimized file is shown`() throws {
        var (header, usual) = try Self.header(of: "alpha.avif", size: Self.size)
        // "iloc": for each item number (16), 0 (16), count (16), offset (32), length (32).
        let places = try #require(Self.contents(of: "iloc", in: usual).first).dropFirst(8)
        let lengths = [10, 24].map { offset in
            places.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        // The alpha comes first.
        let data = header.image
        header.alpha = Array(data.prefix(lengths[1]))
        header.image = Array(data.dropFirst(lengths[1]).prefix(lengths[0]))
        header.alphaConfig = Self.contents(of: "av1C", in: usual)[1]

        let image = try decode(header.bytes())

        #expect(image.properties.hasAlpha)
        #expect(try image.pixels == decode(usual).pixels)
    }

    /// The clean aperture of "photo.heic" is 48 by 36 pixels in the upper left.
    @Test func `a HEIC with a minimized header is shown`() throws {
        var (header, usual) = try Self.header(
            of: "photo.heic",
            size: PixelSize(width: 64, height: 64)
        )

        let image = try decode(header.bytes())

        let whole = try decode(usual)
        #expect(image.properties.format == .heic)
        #expect(image.pixels.size == PixelSize(width: 64, height: 64))
        let rows = 0..<whole.pixels.size.height
        #expect(
            rows.allSatisfy { row in
                image.pixels.bytes[(row * 64 * 4)...].prefix(48 * 4)
                    .elementsEqual(whole.pixels.bytes[(row * 48 * 4)...].prefix(48 * 4))
            }
        )
    }

    @Test(arguments: 1...8)
    func `the orientation of a minimized header is applied`(orientation: Int) throws {
        var (header, usual) = try Self.header(of: "photo.avif", size: Self.size)
        header.orientation = orientation

        let image = try decode(header.bytes())

        let upright = try decode(usual).pixels
        #expect(image.pixels == Orientation(rawValue: orientation)?.apply(to: upright))
    }

    @Test func `another version of the minimized header is named`() throws {
        var (header, _) = try Self.header(of: "photo.avif", size: Self.size)
        header.version = 1

        #expect(
            throws: ImageDecodingError.unsupportedFeature(
                .avif,
                "another version of the minimized header (\"mini\")"
            )
        ) {
            try decode(header.bytes())
        }
    }

    @Test func `no cut of a minimized file crashes, and each is refused`() throws {
        var (header, _) = try Self.header(of: "photo.avif", size: Self.size)
        header.isFull = true
        let bytes = header.bytes()
        let end = bytes.count - 7 - 8

        for count in 1..<end {
            #expect(throws: ImageDecodingError.self) { try decode(Array(bytes.prefix(count))) }
        }
    }

    @Test func `no wrong bit in a minimized header crashes`() throws {
        var (header, _) = try Self.header(of: "photo.avif", size: Self.size)
        header.isFull = true
        let bytes = header.bytes()

        for bit in 0..<(bytes.count - header.image.count) * 8 {
            var wrong = bytes
            wrong[bit / 8] ^= 1 << (bit % 8)
            _ = try? decode(wrong)
        }
    }
}
#endif
