import Decoders
import PropertyRuns
import Testing

/// Hostile files: each gives a result within the limits.
@Suite struct HostileFormatTests {
    private let registry = DecoderRegistry.standard
    private static let files = FormatFile.stills + FormatFile.animations
    /// The number of prefixes and of changes that are tried for each file.
    private static let trialCount = PropertyRuns.isSanitized ? 20 : 60

    private static let ways: [DecodingOptions] = {
        let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 64 << 20)
        let target = PixelSize(width: 9, height: 9)
        var options = [DecodingOptions(targetSize: target, limits: limits)]
        options.append(DecodingOptions(targetSize: target, limits: limits, acceptsTruncation: true))
        options.append(DecodingOptions(limits: limits, acceptsDamage: true))
        options.append(DecodingOptions(limits: limits, animation: AnimationRequest()))
        return options
    }()

    /// Decodes the bytes; both an image and an error are valid results.
    private func tryAll(_ bytes: [UInt8]) {
        for options in Self.ways {
            guard let image = try? registry.decode(bytes, options: options) else { continue }
            #expect(!image.pixels.size.isEmpty)
            let box = options.targetSize ?? PixelSize(width: 1 << 20, height: 1 << 20)
            #expect(image.pixels.size.width <= box.width && image.pixels.size.height <= box.height)
        }
    }

    @Test(arguments: files)
    func `a file cut at any byte is decoded or refused`(file: FormatFile) throws {
        let bytes = try file.bytes
        let step = max(1, bytes.count / Self.trialCount)
        for count in stride(from: 0, to: bytes.count, by: step) {
            tryAll(Array(bytes.prefix(count)))
        }
    }

    @Test(arguments: files)
    func `a file with any bits changed is decoded or refused`(file: FormatFile) throws {
        let bytes = try file.bytes
        var generator = SeededGenerator(seed: UInt64(bytes.count))
        for _ in 0..<Self.trialCount {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<changed.count, using: &generator)
                changed[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
            }
            tryAll(changed)
        }
    }

    /// These formats are stored row by row, so that most of the file gives most of the image.
    @Test(arguments: [
        "lossless.webp", "still.gif", "rgb.bmp", "palette.bmp", "rgb.qoi", "rgb.ppm", "text.ppm",
        "rgb.tga", "runs.tga", "palette.tga",
    ])
    func `a truncated file shows the received part and reports the damage`(name: String) throws {
        let file = try Fixtures.bytes(of: "Formats/\(name)")
        let whole = try registry.decode(file, options: DecodingOptions()).pixels
        let cut = Array(file.prefix(file.count * 4 / 5))

        #expect(throws: ImageDecodingError.self) {
            try registry.decode(cut, options: DecodingOptions())
        }
        let image = try registry.decode(cut, options: DecodingOptions(acceptsDamage: true))

        #expect(image.damage?.isDamage == true)
        let shown = stride(from: 3, to: image.pixels.bytes.count, by: 4)
            .filter { image.pixels.bytes[$0] == 255 }
        #expect(shown.count > whole.size.pixelCount / 4)
        #expect(shown.allSatisfy { image.pixels.bytes[$0 - 1] == whole.bytes[$0 - 1] })
    }

    #if HEIF
    /// libheif 1.15 follows such references until it has no more threads, which ends the process.
    @Test func `a HEIC whose images contain each other is refused`() throws {
        var file = try Fixtures.bytes(of: "Formats/thumbnail.heic")
        let kind = try #require(
            file.indices.dropLast(4).first { file[$0..<$0 + 4].elementsEqual("thmb".utf8) }
        )
        // The thumbnail, item 2, consists of the image, and the image of itself.
        file.replaceSubrange(kind..<kind + 4, with: Array("dimg".utf8))
        let wayDown = try? registry.decode(file, options: DecodingOptions())
        let from = kind + 5
        file[from] = file[from + 4]

        #expect(wayDown != nil)
        #expect(throws: ImageDecodingError.corrupt(.heic, "its pictures consist of each other")) {
            try registry.decode(file, options: DecodingOptions(acceptsDamage: true))
        }
    }
    #endif

    private static func number(_ value: Int, _ byteCount: Int, bigEndian: Bool = false) -> [UInt8] {
        let bytes = (0..<byteCount).map { UInt8(value >> ($0 * 8) & 0xFF) }
        return bigEndian ? bytes.reversed() : bytes
    }

    /// Small files that declare 60,000 by 60,000 pixels.
    private static func bombs() throws -> [(String, [UInt8])] {
        let side = 60_000
        var gif = try Fixtures.bytes(of: "Formats/still.gif")
        gif.replaceSubrange(6..<10, with: number(side, 2) + number(side, 2))
        var webP = try Fixtures.bytes(of: "Formats/moving.webp")
        webP.replaceSubrange(24..<30, with: number(side - 1, 3) + number(side - 1, 3))
        var bmp = try Fixtures.bytes(of: "Formats/rgb.bmp")
        bmp.replaceSubrange(18..<26, with: number(side, 4) + number(side, 4))
        var qoi = try Fixtures.bytes(of: "Formats/rgb.qoi")
        qoi.replaceSubrange(
            4..<12,
            with: number(side, 4, bigEndian: true) + number(side, 4, bigEndian: true)
        )
        let pnm = Array("P6 60000 60000 255\n".utf8) + [UInt8](repeating: 9, count: 100)
        var tga = try Fixtures.bytes(of: "Formats/runs.tga")
        tga.replaceSubrange(12..<16, with: number(side, 2) + number(side, 2))
        var psd = try Fixtures.bytes(of: "Formats/rgb.psd")
        psd.replaceSubrange(
            14..<22,
            with: number(side, 4, bigEndian: true) + number(side, 4, bigEndian: true)
        )
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='60000' height='60000'/>"
        let tiff = [0x49, 0x49, 42, 0] + number(8, 4) + tiffDirectory(side)
        return [
            ("GIF", gif), ("WebP", webP), ("BMP", bmp), ("QOI", qoi), ("SVG", Array(svg.utf8)),
            ("TIFF", tiff), ("PNM", pnm), ("TGA", tga), ("PSD", psd),
        ]
    }

    /// Width, length, 8 bits, no compression, black is 0, one strip.
    private static func tiffDirectory(_ side: Int) -> [UInt8] {
        let entries = [
            (256, 4, side), (257, 4, side), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8),
            (277, 3, 1), (278, 4, side), (279, 4, 100),
        ]
        let bytes = entries.flatMap { tag, kind, value in
            number(tag, 2) + number(kind, 2) + number(1, 4) + number(value, 4)
        }
        return number(entries.count, 2) + bytes + number(0, 4)
    }

    @Test(arguments: [nil, PixelSize(width: 40, height: 40)])
    func `sides of 60,000 pixels are refused by the header`(target: PixelSize?) throws {
        for (name, bytes) in try Self.bombs() where name != "SVG" || target == nil {
            let error = #expect(throws: ImageDecodingError.self, "\(name)") {
                try registry.decode(bytes, options: DecodingOptions(targetSize: target))
            }
            // Formats that are read row by row need little memory for a small image.
            let isRefused = error?.isLimit == true || (target != nil && error?.isDamage == true)
            #expect(isRefused, "\(name): \(String(describing: error))")
        }
    }

    @Test func `a small image of a large drawing needs memory for the small image only`() throws {
        let file = try #require(try Self.bombs().first { $0.0 == "SVG" }).1
        let options = DecodingOptions(
            targetSize: PixelSize(width: 40, height: 40),
            limits: DecodingLimits(maximumByteCount: 64 << 10)
        )

        #expect(try registry.decode(file, options: options).pixels.size.width == 40)
    }

    @Test func `a million frames are neither counted slowly nor stored`() throws {
        let still = try Fixtures.bytes(of: "Formats/keep.gif")
        let start = still.prefix(while: { _ in true }).firstIndex(of: 0x2C) ?? 0
        // One pixel in a corner: its place, no palette of its own, one code, the end of its data.
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
        var bomb = Array(still[..<start])
        for _ in 0..<1_000_000 { bomb += frame }
        bomb.append(0x3B)

        let properties = try registry.probe(bomb)
        let options = DecodingOptions(animation: AnimationRequest(maximumByteCount: 1 << 20))
        let image = try registry.decode(bomb, options: options)

        #expect(properties.frameCount == 1_000_000)
        let frames = try #require(image.animation?.frames)
        #expect(frames.count * image.pixels.bytes.count <= 1 << 20 && frames.count > 1)
    }

    @Test func `entities that multiply end the drawing, not the program`() {
        var text = "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a0 'aaaaaaaaaa'>"
        for level in 1...9 {
            let reference = String(repeating: "&a\(level - 1);", count: 10)
            text += "<!ENTITY a\(level) '\(reference)'>"
        }
        text +=
            "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>&a9;</text></svg>"

        #expect(throws: ImageDecodingError.self) {
            try registry.decode(Array(text.utf8), options: DecodingOptions())
        }
    }
}
