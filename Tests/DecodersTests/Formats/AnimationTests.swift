import Testing

@testable import Decoders

@Suite struct AnimationTests {
    private let registry = DecoderRegistry.standard

    private func animation(
        _ file: [UInt8],
        _ request: AnimationRequest = AnimationRequest(),
        target: PixelSize? = nil
    ) throws -> ImageAnimation {
        let options = DecodingOptions(targetSize: target, animation: request)
        return try #require(try registry.decode(file, options: options).animation)
    }

    @Test(arguments: FormatFile.animations)
    func `frames equal the frames of other programs`(file: FormatFile) throws {
        let (bytes, sheet) = try (file.bytes, file.reference)
        let size = try registry.probe(bytes).size

        let frames = try animation(bytes).frames

        #expect(frames.count == sheet.size.height / size.height)
        for (index, frame) in frames.enumerated() {
            let expected = sheet.rows(from: index * size.height, count: size.height)
            #expect(
                frame.pixels.visibleDifference(from: expected) <= file.tolerance,
                "frame \(index)"
            )
        }
    }

    @Test(arguments: FormatFile.animations)
    func `the header gives the number of frames, and the image is the first frame`(
        file: FormatFile
    ) throws {
        let bytes = try file.bytes

        let image = try registry.decode(bytes, options: DecodingOptions())
        let frames = try animation(bytes).frames

        #expect(image.animation == nil && image.properties.frameCount == frames.count)
        #expect(image.pixels.visibleDifference(from: frames[0].pixels) == 0)
    }

    // The signed 32-bit numbers in the helper's messages cannot represent it.
    @Test(arguments: [UInt32(0), 1 << 31, .max])
    func `an APNG with an impossible number of frames is a still image`(count: UInt32) throws {
        var bytes = try Fixtures.bytes(of: "Formats/moving.apng")
        let name = try #require(bytes.firstRange(of: Array("acTL".utf8)))
        for place in 0..<4 {
            bytes[name.upperBound + place] = UInt8(truncatingIfNeeded: count >> (24 - 8 * place))
        }

        let image = try registry.decode(bytes, options: DecodingOptions())

        #expect(image.properties.frameCount == 1)
        let request = DecodingOptions(animation: AnimationRequest())
        #expect(try registry.decode(bytes, options: request).animation == nil)
    }

    @Test(arguments: [
        ("moving.gif", 3), ("moving.webp", 3), ("moving.apng", 3),
    ])
    func `frames have the durations and repetitions of the file`(
        name: String,
        loopCount: Int
    ) throws {
        let animation = try animation(Fixtures.bytes(of: "Formats/\(name)"))

        #expect(animation.frames.map(\.duration) == [40, 80, 120, 160].map { .milliseconds($0) })
        #expect(animation.loopCount == loopCount)
    }

    /// As in browsers.
    @Test func `a frame without a delay is shown for a tenth of a second`() throws {
        let animation = try animation(Fixtures.bytes(of: "Formats/keep.gif"))

        #expect(animation.frames.allSatisfy { $0.duration == .milliseconds(100) })
    }

    @Test(arguments: FormatFile.animations)
    func `frames are delivered in parts and at the requested size`(file: FormatFile) throws {
        let bytes = try file.bytes
        let target = PixelSize(width: 12, height: 12)
        let whole = try animation(bytes, target: target).frames
        let frameByteCount = whole[0].pixels.bytes.count

        var request = AnimationRequest(firstFrame: 1, maximumByteCount: frameByteCount * 2)
        #expect(try animation(bytes, request, target: target).frames == Array(whole[1..<3]))
        request.maximumByteCount = 0
        #expect(try animation(bytes, request, target: target).frames == [whole[1]])
        request.firstFrame = whole.count
        #expect(throws: ImageDecodingError.self) {
            try animation(bytes, request, target: target)
        }
    }

    @Test func `a damaged frame does not end the following frames`() throws {
        var file = try Fixtures.bytes(of: "Formats/moving.apng")
        let frames = try animation(file).frames
        // In the middle of the data of the third frame.
        let data = try #require(
            file.indices.dropLast(4).filter { file[$0..<$0 + 4].elementsEqual("fdAT".utf8) }
                .dropFirst(1).first
        )
        for index in data + 12..<data + 40 { file[index] ^= 0x55 }

        let damaged = try animation(file).frames

        #expect(damaged.count == frames.count)
        #expect(damaged[0] == frames[0] && damaged[1] == frames[1])
        #expect(damaged[2] != frames[2])
    }

    @Test func `a truncated file gives the frames before the cut`() throws {
        for name in ["moving.gif", "moving.webp", "moving.apng"] {
            let file = try Fixtures.bytes(of: "Formats/\(name)")
            let frames = try animation(file).frames

            let cut = try animation(Array(file.prefix(file.count * 3 / 4))).frames

            #expect(cut[0] == frames[0] && cut.count <= frames.count, "\(name)")
        }
    }

    /// As in PNG, third edition, section 13.16.
    @Test func `a translucent frame is blended with both alphas`() {
        var canvas = AnimationCanvas(size: PixelSize(width: 1, height: 1))
        for pixels: [UInt8] in [[200, 0, 0, 128], [0, 100, 0, 128], [1, 2, 3, 0]] {
            canvas.draw(
                Film.Frame(
                    area: PixelRect(x: 0, y: 0, width: 1, height: 1),
                    duration: .zero,
                    disposal: .keep,
                    isBlended: true,
                    pixels: pixels
                )
            )
        }

        // Alpha is 1 - (1 - 0.502)²; the upper frame contributes two thirds of the color.
        let expected = [67, 67, 0, 191]
        #expect(zip(canvas.bytes, expected).allSatisfy { abs(Int($0) - $1) <= 1 })
    }

    @Test func `a frame that claims too many pixels to count is left out`() throws {
        var file = try Fixtures.bytes(of: "Formats/moving.apng")
        let frames = try animation(file).frames
        let control = try #require(
            file.indices.dropLast(4).filter { file[$0..<$0 + 4].elementsEqual("fcTL".utf8) }
                .dropFirst().first
        )
        // The size of the second frame.
        for index in control + 8..<control + 16 { file[index] = 0x7F }

        let damaged = try animation(file).frames

        #expect(damaged.count == frames.count && damaged[0] == frames[0])
        #expect(damaged[1].pixels == frames[0].pixels)
    }

    /// The disposal of frames, and frames beyond the edges.
    @Test func `a frame is clipped to the canvas`() {
        var canvas = AnimationCanvas(size: PixelSize(width: 2, height: 2))
        let red: [UInt8] = [255, 0, 0, 255]
        let areas = [(-1, -1), (1, 1), (5, 5), (-9, 0), (Int.max - 1, 0)]
        for (x, y) in areas {
            canvas.draw(
                Film.Frame(
                    area: PixelRect(x: x, y: y, width: 2, height: 2),
                    duration: .zero,
                    disposal: .keep,
                    isBlended: false,
                    pixels: Array(repeating: red, count: 4).flatMap { $0 }
                )
            )
        }

        #expect(canvas.bytes == red + [0, 0, 0, 0] + [0, 0, 0, 0] + red)
    }
}
