import Testing

@testable import Decoders

/// Color names, read from the starts of files.
@Suite struct ColorDescriptionTests {
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A profile that contains only its name.
    private static func profile(_ tag: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 128)
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        bytes += number(1) + Array("desc".utf8) + number(144) + number(tag.count)
        return bytes + tag
    }

    private static let ascii =
        profile(Array("desc".utf8) + number(0) + number(11) + Array("Display P3\0".utf8))
    private static let multi = profile(
        Array("mluc".utf8) + number(0) + number(1) + number(12) + Array("enUS".utf8) + number(12)
            + number(28) + "Größe".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + [0, 0]
    )

    private static func jpeg(_ profile: [UInt8]) -> [UInt8] {
        let body = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = body.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + body
            + [0xFF, 0xDA, 0, 2]
    }

    private static func png(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        chunks.reduce(into: [0x89] + Array("PNG\r\n\u{1A}\n".utf8)) { file, chunk in
            file += number(chunk.1.count) + Array(chunk.0.utf8) + chunk.1 + number(0)
        }
    }

    @Test func `a profile's name is read in every version`() {
        #expect(ColorDescription.text(startOfFile: Self.jpeg(Self.ascii)) == "Display P3")
        #expect(ColorDescription.text(startOfFile: Self.jpeg(Self.multi)) == "Größe")
    }

    @Test func `a PNG's code points are shown as names`() {
        let header = ("IHDR", [UInt8](repeating: 0, count: 13))
        let file = Self.png([header, ("cICP", [12, 13, 0, 1]), ("IDAT", [])])
        #expect(ColorDescription.text(startOfFile: file) == "Display P3")
        let bright = Self.png([header, ("cICP", [9, 16, 0, 1]), ("IDAT", [])])
        #expect(ColorDescription.text(startOfFile: bright) == "BT.2020, PQ (HDR)")
        let usual = Self.png([header, ("sRGB", [0]), ("IDAT", [])])
        #expect(ColorDescription.text(startOfFile: usual) == "sRGB")
        let silent = Self.png([header, ("IDAT", [])])
        #expect(ColorDescription.text(startOfFile: silent) == "sRGB (assumed)")
    }

    @Test func `a WebP's profile is read from its chunk`() {
        let size = [UInt8(Self.ascii.count), UInt8(Self.ascii.count >> 8), 0, 0]
        let file =
            Array("RIFF".utf8) + Self.number(0) + Array("WEBPVP8X".utf8) + [1, 0, 0, 0, 9, 9]
            + Array("ICCP".utf8) + size + Self.ascii
        #expect(ColorDescription.text(startOfFile: file) == "Display P3")
    }

    @Test func `an AVIF's code points are read from its box`() {
        let file =
            Self.number(16) + Array("ftypavif".utf8) + Self.number(0) + Self.number(19)
            + Array("colrnclx".utf8) + [0, 12, 0, 13, 0, 6, 0x80] + [UInt8](repeating: 0, count: 16)
        #expect(ColorDescription.text(startOfFile: file) == "Display P3")
    }

    @Test func `any bytes and every cut of a file are read without failing`() {
        for file in [Self.jpeg(Self.ascii), Self.jpeg(Self.multi)] {
            for count in 0...file.count {
                _ = ColorDescription.text(startOfFile: Array(file[..<count]))
            }
            for place in file.indices {
                var damaged = file
                damaged[place] = 0xFF
                _ = ColorDescription.text(startOfFile: damaged)
            }
        }
        #expect(ColorDescription.text(startOfFile: Array("ftyp".utf8)) == nil)
    }
}
