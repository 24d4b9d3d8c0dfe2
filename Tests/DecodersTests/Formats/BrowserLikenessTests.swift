import Testing

@testable import Decoders

/// Files that browsers show in a certain way.
@Suite struct BrowserLikenessTests {
    private let registry = DecoderRegistry.standard

    // MARK: - HEIC

    @Test func `a broken thumbnail leads to the image`() throws {
        var file = try Fixtures.bytes(of: "Camera/thumbnail-right.heic")
        var options = DecodingOptions(targetSize: PixelSize(width: 80, height: 60))
        let expected = try registry.decode(file, options: options)
        options.acceptsThumbnail = true
        #expect(try registry.decode(file, options: options).isThumbnail)

        // The coded data of the thumbnail follows the description of the grid.
        for index in 1_155..<1_742 { file[index] = 0xFF }
        let image = try registry.decode(file, options: options)

        #expect(!image.isThumbnail && image.pixels == expected.pixels)
    }

    @Test func `alpha of the limited range is expanded`() throws {
        var file = try Fixtures.bytes(of: "Formats/alpha.avif")
        let full = try registry.decode(file, options: DecodingOptions()).pixels
        // The alpha image refers to the color codes instead of the depth of its samples, and the
        // codes specify the limited range.
        let codes = try #require(file.firstRange(of: Array("nclx".utf8))).lowerBound
        file[codes + 10] = 0
        let uses = try #require(file.firstRange(of: Array("ipma".utf8))).lowerBound
        #expect(file[uses + 23] == 5)
        file[uses + 23] = 4

        let limited = try registry.decode(file, options: DecodingOptions()).pixels

        let alphas = stride(from: 3, to: full.bytes.count, by: 4)
        let expected = alphas.map { index in
            min(max(0, (Double(full.bytes[index]) - 16) * 255 / 219), 255).rounded()
        }
        #expect(alphas.map { Double(limited.bytes[$0]) } == expected)
        #expect(Set(expected).count > 2)
    }

    @Test(arguments: [0, 0x7F, 0x80, 0xFF])
    func `any number in the container of a turned AVIF gives an image or an error`(
        value: UInt8
    ) throws {
        let file = try Fixtures.bytes(of: "Formats/turnedalpha.avif")
        let end = try #require(file.firstRange(of: Array("mdat".utf8))).lowerBound
        let limits = DecodingLimits(maximumByteCount: 16 << 20)
        for place in 0..<end {
            for byteCount in [1, 4] {
                var changed = file
                for index in place..<min(end, place + byteCount) { changed[index] = value }
                _ = try? registry.decode(changed, options: DecodingOptions(limits: limits))
            }
        }
    }

    // MARK: - WebP

    @Test func `hidden colors leave no halo in a reduced WebP`() throws {
        let file = FormatFile(name: "hidden.webp", format: .webP)
        let target = PixelSize(width: 30, height: 12)

        let image = try registry.decode(
            file.bytes,
            options: DecodingOptions(targetSize: target)
        )

        // Black everywhere, and white nowhere.
        let visible = stride(from: 0, to: image.pixels.bytes.count, by: 4)
            .filter { image.pixels.bytes[$0 + 3] > 32 }
        #expect(visible.count > 100)
        #expect(visible.allSatisfy { image.pixels.bytes[$0] < 12 })
        let expected = try file.reference.resampled(to: target)
        #expect(image.pixels.visibleDifference(from: expected) <= 1)
    }

    // MARK: - GIF

    /// A header with black and red, without transparency, and a screen of 2 by 1 pixels.
    private static let gifHeader =
        Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 0, 0]

    /// A frame of 2 red pixels, or of 1 at the left, and its disposal.
    private static func gifFrame(isWhole: Bool, disposal: UInt8) -> [UInt8] {
        let control: [UInt8] = [0x21, 0xF9, 4, disposal << 2, 0, 0, 0, 0]
        let codes: [UInt8] = isWhole ? [2, 2, 0x4C, 0x0A, 0] : [2, 2, 0x4C, 0x01, 0]
        return control + [0x2C, 0, 0, 0, 0, isWhole ? 2 : 1, 0, 1, 0, 0] + codes
    }

    @Test(arguments: [2, 3])
    func `a frame without transparency is cleared to transparent`(disposal: UInt8) throws {
        let file =
            Self.gifHeader + Self.gifFrame(isWhole: true, disposal: disposal)
            + Self.gifFrame(isWhole: false, disposal: 1) + [0x3B]

        let options = DecodingOptions(animation: AnimationRequest())
        let image = try registry.decode(file, options: options)

        let frames = try #require(image.animation?.frames)
        #expect(
            frames.map(\.pixels.bytes) == [
                [255, 0, 0, 255, 255, 0, 0, 255], [255, 0, 0, 255, 0, 0, 0, 0],
            ]
        )
        #expect(image.properties.hasAlpha && frames.allSatisfy(\.pixels.hasAlpha))
    }

    @Test func `the disposal of a single frame changes nothing`() throws {
        let file = Self.gifHeader + Self.gifFrame(isWhole: true, disposal: 2) + [0x3B]

        #expect(try !registry.probe(file).hasAlpha)
    }

    @Test func `a screen smaller than the first frame is enlarged`() throws {
        let file = FormatFile(name: "still.gif", format: .gif)
        var bytes = try file.bytes
        bytes.replaceSubrange(6..<10, with: [8, 0, 5, 0])

        let image = try registry.decode(bytes, options: DecodingOptions())

        #expect(try image.pixels.visibleDifference(from: file.reference) == 0)
    }

    // MARK: - APNG

    /// Returns an APNG with a red image that is not a frame, and one or two frames, blue and green.
    private static func hiddenImage(frameCount: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { PNGFile.number(value) }
        func data(_ color: [UInt8]) -> [UInt8] {
            PNGFile.deflated([0] + color + color + [0] + color + color)
        }
        func frame(_ index: Int, _ color: [UInt8]) -> [UInt8] {
            let control = number(index * 2) + number(2) + number(2) + number(0) + number(0)
            return PNGFile.chunk("fcTL", control + [0, 10, 0, 100, 0, 0])
                + PNGFile.chunk("fdAT", number(index * 2 + 1) + data(color))
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + PNGFile.chunk("IHDR", number(2) + number(2) + [8, 2, 0, 0, 0])
            + PNGFile.chunk("acTL", number(frameCount) + number(0))
            + PNGFile.chunk("IDAT", data([255, 0, 0])) + frame(0, [0, 0, 255])
            + (frameCount > 1 ? frame(1, [0, 255, 0]) : []) + PNGFile.chunk("IEND", [])
    }

    @Test(arguments: [1, 2], [nil, PixelSize(width: 1, height: 1)])
    func `an image that is no frame is never shown`(frameCount: Int, target: PixelSize?) throws {
        let file = Self.hiddenImage(frameCount: frameCount)

        let image = try registry.decode(file, options: DecodingOptions(targetSize: target))

        #expect(image.properties.frameCount == frameCount && image.isFinal)
        #expect(Array(image.pixels.bytes.prefix(4)) == [0, 0, 255, 255])
        let options = DecodingOptions(targetSize: target, animation: AnimationRequest())
        let frames = try #require(try registry.decode(file, options: options).animation?.frames)
        #expect(frames.count == frameCount && frames[0].pixels == image.pixels)
    }

    @Test func `the image is shown if the file has no frames`() throws {
        let file = Self.hiddenImage(frameCount: 1)
        let end = try #require(file.firstRange(of: Array("fcTL".utf8))).lowerBound - 4
        let still = Array(file[..<end]) + PNGFile.chunk("IEND", [])

        let image = try registry.decode(still, options: DecodingOptions())

        #expect(Array(image.pixels.bytes.prefix(4)) == [255, 0, 0, 255])
    }
}
