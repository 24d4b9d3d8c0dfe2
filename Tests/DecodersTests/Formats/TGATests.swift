import PropertyRuns
import Testing

@testable import Decoders

/// TGA files written by hand.
@Suite struct TGATests {
    private let registry = DecoderRegistry.standard

    /// A header with the usual values.
    private struct Header {
        var kind = 2
        var idLength = 0
        var hasMap = false
        var firstColor = 0
        var colorCount = 0
        var colorBits = 0
        var width = 2
        var height = 1
        var bits = 24
        /// 0x20 for rows from top to bottom, 0x10 for rows from right to left, and the number of
        /// attribute bits.
        var descriptor = 0x20

        var bytes: [UInt8] {
            [UInt8(idLength), hasMap ? 1 : 0, UInt8(kind)] + TIFFFile.number(firstColor, 2)
                + TIFFFile.number(colorCount, 2) + [UInt8(colorBits)] + TIFFFile.number(0)
                + TIFFFile.number(width, 2) + TIFFFile.number(height, 2)
                + [UInt8(bits), UInt8(descriptor)]
        }
    }

    private func pixels(_ header: Header, _ data: [UInt8]) throws -> [UInt8] {
        let file = header.bytes + data
        let image = try registry.decode(file, options: DecodingOptions())
        #expect(image.properties.format == .tga && image.isFinal)
        #expect(try registry.probe(file) == image.properties)
        return image.pixels.bytes
    }

    @Test func `colors are stored as blue, green and red`() throws {
        let data: [UInt8] = [1, 2, 3, 4, 5, 6]

        #expect(try pixels(Header(), data) == [3, 2, 1, 255, 6, 5, 4, 255])
    }

    @Test func `the origin bits flip and mirror the image`() throws {
        let data: [UInt8] = [1, 2, 3, 4]
        func grays(_ descriptor: Int) throws -> [UInt8] {
            let header = Header(kind: 3, height: 2, bits: 8, descriptor: descriptor)
            let bytes = try pixels(header, data)
            return stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] }
        }

        #expect(try grays(0x20) == [1, 2, 3, 4])
        #expect(try grays(0x00) == [3, 4, 1, 2])
        #expect(try grays(0x30) == [2, 1, 4, 3])
        #expect(try grays(0x10) == [4, 3, 2, 1])
    }

    @Test func `alpha is used only if the header declares attribute bits`() throws {
        let data: [UInt8] = [1, 2, 3, 7]

        #expect(
            try pixels(Header(width: 1, bits: 32, descriptor: 0x28), data) == [3, 2, 1, 7]
        )
        #expect(
            try pixels(Header(width: 1, bits: 32, descriptor: 0x20), data) == [3, 2, 1, 255]
        )
        #expect(try pixels(Header(kind: 3, width: 1, bits: 16), [9, 7]) == [9, 9, 9, 7])
    }

    @Test func `samples of 5 bits are scaled to 8 bits`() throws {
        // Attribute bit, red 31, green 16, blue 1; then the same without the attribute bit.
        let data: [UInt8] = [0x01, 0xFE, 0x01, 0x7E]

        #expect(
            try pixels(Header(bits: 16, descriptor: 0x21), data)
                == [255, 132, 8, 255, 255, 132, 8, 0]
        )
        #expect(
            try pixels(Header(bits: 15), data) == [255, 132, 8, 255, 255, 132, 8, 255]
        )
    }

    @Test(arguments: [
        (24, [1, 2, 3, 4, 5, 6], [6, 5, 4, 255, 3, 2, 1, 255]),
        (32, [1, 2, 3, 9, 4, 5, 6, 8], [6, 5, 4, 8, 3, 2, 1, 9]),
        (16, [0x01, 0xFE, 0xE0, 0x83], [0, 255, 0, 255, 255, 132, 8, 255]),
    ])
    func `indices start at the first color of the color map`(
        bits: Int,
        map: [UInt8],
        expected: [UInt8]
    ) throws {
        var header = Header(kind: 1, idLength: 3, hasMap: true, firstColor: 5, colorCount: 2)
        (header.colorBits, header.bits, header.descriptor) = (bits, 8, 0x28)
        let id: [UInt8] = [77, 77, 77]

        #expect(try pixels(header, id + map + [6, 5]) == expected)
        header.bits = 16
        #expect(try pixels(header, id + map + [6, 0, 5, 0]) == expected)
    }

    @Test func `an index outside of the color map is black`() throws {
        let header = Header(
            kind: 1,
            hasMap: true,
            firstColor: 1,
            colorCount: 1,
            colorBits: 24,
            bits: 8
        )

        #expect(try pixels(header, [1, 2, 3, 0, 9]) == [0, 0, 0, 255, 0, 0, 0, 255])
    }

    @Test func `the color map of an image of full colors is skipped`() throws {
        let header = Header(hasMap: true, colorCount: 1, colorBits: 24, width: 1)

        #expect(try pixels(header, [9, 9, 9, 1, 2, 3]) == [3, 2, 1, 255])
    }

    @Test(arguments: [0x00, 0x20])
    func `packets may cross the ends of rows`(descriptor: Int) throws {
        var header = Header(kind: 11, width: 3, height: 2, bits: 8, descriptor: descriptor)
        // Four times 5, then 6 and 7.
        let data: [UInt8] = [0x83, 5, 0x01, 6, 7]
        let rows = [[5, 5, 5], [5, 6, 7]]

        let bytes = try pixels(header, data)

        let grays = stride(from: 0, to: bytes.count, by: 4).map { Int(bytes[$0]) }
        #expect(grays == Array((descriptor == 0 ? rows.reversed() : rows).joined()))
        header.kind = 10
        header.bits = 24
        let colors = try pixels(header, [0x85, 1, 2, 3])
        #expect(colors == Array(repeatElement([3, 2, 1, 255], count: 6).joined()))
    }

    @Test func `packets of indices are decoded`() throws {
        var header = Header(kind: 9, hasMap: true, colorCount: 2, colorBits: 24, width: 3)
        header.bits = 8

        #expect(
            try pixels(header, [1, 1, 1, 2, 2, 2, 0x81, 1, 0x00, 0])
                == [2, 2, 2, 255, 2, 2, 2, 255, 1, 1, 1, 255]
        )
    }

    @Test(arguments: [3, 11])
    func `a truncated file shows the rows that are stored first`(kind: Int) throws {
        for descriptor in [0x00, 0x20] {
            let header = Header(kind: kind, height: 3, bits: 8, descriptor: descriptor)
            let data: [UInt8] = kind == 3 ? [5, 5, 6, 6, 7] : [0x81, 5, 0x81, 6, 0x80]
            let file = header.bytes + data
            #expect(throws: ImageDecodingError.truncated(.tga)) {
                try registry.decode(file, options: DecodingOptions())
            }

            let image = try registry.decode(file, options: DecodingOptions(acceptsDamage: true))

            let grays = stride(from: 0, to: 24, by: 8).map { image.pixels.bytes[$0] }
            #expect(grays == (descriptor == 0 ? [0, 6, 5] : [5, 6, 0]))
            #expect(image.damage == .truncated(.tga))
        }
    }

    @Test func `a file cut at any byte never gives the whole image`() throws {
        var header = Header(kind: 9, idLength: 2, hasMap: true, colorCount: 2, colorBits: 24)
        (header.width, header.height, header.bits) = (3, 2, 8)
        let file = header.bytes + [7, 7, 1, 1, 1, 2, 2, 2, 0x83, 1, 0x01, 0, 1]
        #expect(throws: Never.self) { try registry.decode(file, options: DecodingOptions()) }
        for count in 0..<file.count {
            #expect(throws: ImageDecodingError.self) {
                try registry.decode(Array(file.prefix(count)), options: DecodingOptions())
            }
        }
    }

    @Test func `files of other formats and inconsistent headers are not recognized`() {
        let files: [[UInt8]] = [
            // A Windows icon and cursor, an MPEG stream, a TrueType font, a spreadsheet.
            [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 104, 4, 0, 0, 22, 0, 0, 0],
            [0, 0, 2, 0, 1, 0, 32, 32, 0, 0, 16, 0, 16, 0, 0x30, 1, 0, 0, 22, 0, 0, 0],
            [0, 0, 1, 0xBA, 0x21, 0, 1, 0, 1, 0x80, 0, 1, 0, 0, 1, 0xBB, 0, 9],
            [0, 1, 0, 0, 0, 12, 0, 0x80, 0, 3, 0, 0x40, 0x4F, 0x53, 0x2F, 0x32, 0, 0],
            [0, 0, 2, 0, 6, 4, 6, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [UInt8](repeating: 0, count: 64), Array(repeating: 0x20, count: 64),
            Header(kind: 0).bytes, Header(kind: 4).bytes, Header(kind: 32).bytes,
            Header(width: 0).bytes, Header(height: 0).bytes, Header(bits: 8).bytes,
            Header(kind: 3, bits: 24).bytes, Header(kind: 1, bits: 8).bytes,
            Header(colorCount: 9).bytes, Header(firstColor: 9).bytes,
            Header(kind: 1, hasMap: true, colorCount: 1, colorBits: 8, bits: 8).bytes,
            Header(kind: 1, hasMap: true, colorCount: 1, colorBits: 24, bits: 24).bytes,
            Header(descriptor: 0x40).bytes, Header(descriptor: 9).bytes,
        ]
        for file in files { #expect(!TGADecoder().canDecode(file), "\(file)") }
        #expect(TGADecoder().canDecode(Header().bytes))
    }

    @Test func `cancellation and limits end the search for rows`() {
        let header = Header(kind: 11, width: 60_000, height: 60_000, bits: 8)
        let file = header.bytes + [UInt8](repeating: 0xFF, count: 100)
        var options = DecodingOptions(targetSize: PixelSize(width: 9, height: 9))
        options.limits = DecodingLimits(maximumPixelCount: 1 << 40, maximumByteCount: 1 << 20)

        let error = #expect(throws: ImageDecodingError.self) {
            try registry.decode(file, options: options)
        }
        #expect(error?.isLimit == true)
        let cancelled = DecodingOptions(isCancelled: { true })
        #expect(throws: ImageDecodingError.cancelled) {
            try registry.decode(Header(kind: 11, bits: 8).bytes + [0x81, 1], options: cancelled)
        }
    }
}
