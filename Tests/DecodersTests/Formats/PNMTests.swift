import Testing

@testable import Decoders

/// Netpbm images whose headers other programs rarely write.
@Suite struct PNMTests {
    private func pixels(_ text: String, _ samples: [UInt8] = []) throws -> [UInt8] {
        let file = Array(text.utf8) + samples
        return try DecoderRegistry.standard.decode(file, options: DecodingOptions()).pixels.bytes
    }

    @Test func `samples are scaled from the maximum in the header`() throws {
        #expect(try pixels("P2 3 1 7 0 3 9\n") == [0, 0, 0, 255, 109, 109, 109, 255] + white)
        #expect(try pixels("P5 2 1 1000\n", [0x03, 0xE8, 0x01, 0xF4]).prefix(5) == white + [128])
    }

    private let white: [UInt8] = [255, 255, 255, 255]

    @Test func `comments may follow every field of the header`() throws {
        #expect(try pixels("P3#a\n1#b\n 1 #c\n255\n1 2 3\n") == [1, 2, 3, 255])
        let header = "P7\n#a\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nENDHDR\n"
        #expect(try pixels(header, [9, 7]) == [9, 9, 9, 7])
    }

    @Test func `the bits of a textual bitmap need no white space`() throws {
        #expect(try pixels("P1\n3 1\n010\n") == white + [0, 0, 0, 255] + white)
    }

    @Test func `floats are clipped, bottom-up and of either byte order`() throws {
        let one: [UInt8] = [0x3F, 0x80, 0, 0]
        let nan: [UInt8] = [0x7F, 0xC0, 0, 0]
        let minusOne: [UInt8] = [0xBF, 0x80, 0, 0]
        let two: [UInt8] = [0x40, 0, 0, 0]

        #expect(try pixels("Pf\n1 2\n1.0\n", nan + two) == white + [0, 0, 0, 255])
        #expect(
            try pixels("PF 1 1 -1\n", one.reversed() + minusOne.reversed() + one.reversed())
                == [255, 0, 255, 255]
        )
    }

    @Test func `a truncated file of floats shows its lower rows, which are stored first`() throws {
        let one: [UInt8] = [0x3F, 0x80, 0, 0]
        let file = Array("Pf\n2 3\n1.0\n".utf8) + one + one + one + one + one
        var options = DecodingOptions()
        #expect(throws: ImageDecodingError.truncated(.pnm)) {
            try PNMDecoder().decode(file, options: options)
        }
        options.acceptsDamage = true

        let image = try DecoderRegistry.standard.decode(file, options: options)

        #expect(
            image.pixels.bytes == [UInt8](repeating: 0, count: 8) + white + white + white + white
        )
        #expect(image.damage == .truncated(.pnm))
        #expect(throws: ImageDecodingError.truncated(.pnm)) {
            try PNMDecoder().decode(Array(file.prefix(15)), options: options)
        }
    }

    @Test(arguments: [
        ("P6 1 1 0\n ", "corrupt PNM: maximum sample value 0"),
        ("P6 1 1 65536\n ", "corrupt PNM: maximum sample value 65536"),
        ("P6 1 1", "truncated PNM"), ("P6 1 a", "corrupt PNM: invalid header"),
        ("P2 1 1 9 x\n", "corrupt PNM: a sample that is not a number"),
        ("P2 2 1 9 1", "truncated PNM"), ("P6 0 1 255\n", "image has no pixels"),
        (
            "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 1\nENDHDR\n",
            "PNM: 5 samples per pixel not supported"
        ),
    ])
    func `a broken file is refused with the reason`(text: String, reason: String) {
        let error = #expect(throws: ImageDecodingError.self) { try pixels(text) }

        #expect(error?.description == reason)
    }

    @Test(arguments: ["0", "2147483647", "2147483648", "4294967295", "9223372036854775808"])
    func `any number in a header gives an image or an error`(number: String) {
        for letter in ["1", "2", "3", "4", "5", "6", "F", "f"] {
            for fields in [
                "\(number) 1 1", "1 \(number) 1", "1 1 \(number)", "\(number) \(number) \(number)",
            ] {
                _ = try? pixels("P\(letter) \(fields)\n1 0 1 1\n")
            }
        }
        for name in ["WIDTH", "HEIGHT", "DEPTH", "MAXVAL"] {
            let fields = "WIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\n\(name) \(number)\n"
            _ = try? pixels("P7\n\(fields)ENDHDR\n1 0 1 1\n")
        }
        for size in [PixelSize(width: 3, height: 3), nil] {
            let options = DecodingOptions(targetSize: size, acceptsDamage: true)
            let file = Array("P5 1 \(number) 255\nabc".utf8)
            _ = try? DecoderRegistry.standard.decode(file, options: options)
        }
    }
}
