import Glibc
import Testing

@testable import Decoders

/// Gray profiles, tables, and code points for colors.
extension ColorFileTests {
    /// A gray profile with an exponent of 1.8.
    private static let gray: [UInt8] = {
        var file = ICCFile.displayP3
        file.space = "GRAY"
        file.tags = [("kTRC", ICCFile.formula(0, [1.8]))]
        return file.encoded()
    }()

    @Test func `the profile of a gray image is applied`() throws {
        let encoded = try Fixtures.bytes(of: "gray.jpg")
        let plain = try registry.decode(encoded, options: DecodingOptions()).pixels

        let png = try registry.decode(
            png([("iCCP", ICCParts.chunk(Self.gray))], type: .gray),
            options: DecodingOptions()
        )
        let jpeg = try registry.decode(
            ICCParts.insert(Self.gray, into: encoded),
            options: DecodingOptions()
        )

        // 146.4.
        #expect(png.pixels[0, 0] == Pixel(146, 146, 146))
        for (before, after) in zip(plain.quarters, jpeg.pixels.quarters) {
            let light = pow(Double(before.red) / 255, 1.8)
            let level = UInt8(((1.055 * pow(light, 1 / 2.4) - 0.055) * 255).rounded())
            #expect(after.isClose(to: Pixel(level, level, level), tolerance: 1))
        }
    }

    /// A profile that connects by lightness: L* of 50.2 is a light of 0.186, which sRGB encodes as
    /// 119.
    @Test func `the curve of a gray profile may map to lightness`() throws {
        var file = ICCFile.displayP3
        (file.space, file.connection) = ("GRAY", "Lab ")
        file.tags = [("kTRC", ICCFile.samples([]))]

        let image = try registry.decode(
            png([("iCCP", ICCParts.chunk(file.encoded()))], type: .gray),
            options: DecodingOptions()
        )

        #expect(image.pixels[0, 0] == Pixel(119, 119, 119))
    }

    @Test func `a gray profile is ignored for colors`() throws {
        try expect(png([("iCCP", ICCParts.chunk(Self.gray))]), quarterColors, tolerance: 0)
    }

    /// The results of littlecms for the two files, as `make-profiles.py` prints them.
    @Test(arguments: [
        ("tables.png", [Pixel(42, 255, 25), Pixel(34, 8, 255), Pixel(255, 25, 0), .white], 1),
        ("inks.jpg", [194, 35, 35, 205].map { Pixel($0, $0, $0) }, 3),
    ])
    func `a table-based profile is applied as littlecms applies it`(
        name: String,
        colors: [Pixel],
        tolerance: Int
    ) throws {
        let file = try Fixtures.bytes(of: name)

        try expect(file, colors, tolerance: tolerance, note: name)
        try expect(
            file,
            colors,
            tolerance: tolerance,
            target: PixelSize(width: 4, height: 4),
            note: name
        )
    }

    @Test func `a profile for CMYK is not applied to values that are not light`() throws {
        let encoded = try Fixtures.bytes(of: "inks.jpg")
        let adobe = try #require(Fixtures.offsets(of: 0xEE, in: encoded).first)
        var inverted = encoded
        // With a name other than Adobe's, the samples are amounts of ink.
        inverted[adobe + 4] = UInt8(ascii: "B")

        let image = try registry.decode(inverted, options: DecodingOptions())

        // Little cyan becomes much cyan.
        let levels = image.pixels.quarters.map(\.red)
        #expect(levels[0] < 100 && levels[1] > 150 && levels[2] > 150 && levels[3] < 100)
    }

    @Test(
        arguments: [
            ([12, 13, 0, 1], true), ([1, 13, 0, 1], false), ([12, 13, 0, 0], false),
            ([12, 13, 1, 1], false), ([99, 13, 0, 1], false), ([12, 99, 0, 1], false),
            ([12, 13], false),
        ] as [([UInt8], Bool)]
    )
    func `a PNG's color code points are applied if they are known`(
        numbers: [UInt8],
        areApplied: Bool
    ) throws {
        let file = png([("cICP", numbers)])

        try expect(file, areApplied ? Self.converted : quarterColors, note: "\(numbers)")
    }

    @Test func `code points take precedence over a profile, and both over gamma`() throws {
        let numbers = ("cICP", [12, 13, 0, 1] as [UInt8])
        let profile = ("iCCP", ICCParts.chunk(ICCFile.adobeRGB.encoded()))
        let gamma = ("gAMA", PNGFile.number(100_000))

        try expect(png([gamma, profile, numbers]), Self.converted)
        try expect(png([numbers, profile, gamma]), Self.converted)
    }

    /// The white of paper is 203 cd/m² in both systems (BT.2408): code 148 in PQ, code 191 in HLG.
    @Test(arguments: [(UInt8(16), 148), (18, 191)])
    func `in an HDR image white is bright and brightness keeps its order`(
        transfer: UInt8,
        white: Int
    ) throws {
        var file = PNGFile(colorType: .gray, depth: 8, width: 256, height: 1) { x, _ in [x] }
        file.chunks = [("cICP", [9, transfer, 0, 1])]

        let pixels = try registry.decode(file.encoded(), options: DecodingOptions()).pixels

        let levels = (0..<256).map { pixels[$0, 0] }
        #expect(levels.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
        #expect(levels[0].red == 0 && levels[255].red == 255)
        #expect((180...195).contains(levels[white].red))
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0.red <= $1.red })
    }
}
