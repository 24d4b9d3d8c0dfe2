import Testing

@testable import DecoderContracts
@testable import Decoders

/// Headers that are read without libjpeg, compared with the results of libjpeg.
@Suite struct JPEGHeaderTests {
    private func plain(_ bytes: some Sequence<UInt8>) -> ImageProperties? {
        Array(bytes).withUnsafeBufferPointer { JPEGDecoder().plainHeader($0) }
    }

    @Test(
        arguments: [
            "444", "422", "420", "440", "411", "410", "gray", "rgb", "restart", "progressive",
        ]
    )
    func `a usual header gives the same result as libjpeg`(kind: String) throws {
        let bytes = try Fixtures.bytes(of: "Scene/\(kind).jpg")

        let header = plain(bytes)

        #expect(header == (try JPEGDecoder().probe(bytes)))
        #expect(header?.isProgressive == (kind == "progressive"))
    }

    @Test(arguments: 1...8)
    func `a header gives the orientation of the image`(orientation: Int) throws {
        let file = try Fixtures.bytes(of: "Scene/420.jpg")
        let bytes = EXIF.insert(EXIF.block(orientation: orientation), into: file)

        let header = plain(bytes)

        #expect(header == (try JPEGDecoder().probe(bytes)))
        #expect(header?.orientation == orientation)
    }

    @Test(arguments: ["cmyk", "ycck", "arithmetic", "arithmetic-progressive"])
    func `an unusual header is left to libjpeg`(kind: String) throws {
        #expect(plain(try Fixtures.bytes(of: "Scene/\(kind).jpg")) == nil)
    }

    @Test func `a header that ends before the first scan is left to libjpeg, which refuses it`()
        throws
    {
        let bytes = try Fixtures.bytes(of: "Scene/420.jpg")
        let scan = try #require(Fixtures.offsets(of: 0xDA, in: bytes).first)

        for count in 0...scan {
            #expect(plain(bytes.prefix(count)) == nil, "\(count) bytes")
        }
        #expect(plain(bytes) != nil)
    }

    @Test func `a header longer than usual is left to libjpeg`() throws {
        let bytes = try Fixtures.bytes(of: "Scene/420.jpg")
        let comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + Array(repeating: 0, count: 0xFFFD)

        let long: [UInt8] = bytes[..<2] + comment + comment + comment + bytes[2...]

        #expect(plain(long) == nil)
        #expect((try JPEGDecoder().probe(long)) == (try JPEGDecoder().probe(bytes)))
    }
}
