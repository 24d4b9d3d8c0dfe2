import Testing

@testable import Decoders

/// Interlaced files for small results: the first passes alone.
@Suite struct PNGEarlyFinishTests {
    private static let size = PixelSize(width: 403, height: 301)

    /// A picture without fine detail.
    private static let picture = PixelBuffer(width: size.width, height: size.height) { x, y in
        Pixel(UInt8(x * 255 / size.width), UInt8(y * 255 / size.height), UInt8((x + y) / 4))
    }

    private static func file(split: @escaping ([UInt8]) -> [[UInt8]] = { [$0] }) -> [UInt8] {
        var file = PNGFile(
            colorType: .rgb,
            depth: 8,
            isInterlaced: true,
            width: size.width,
            height: size.height
        ) { x, y in
            let pixel = picture[x, y]
            return [Int(pixel.red), Int(pixel.green), Int(pixel.blue)]
        }
        file.split = split
        return file.encoded()
    }

    private static let bytes = file()

    private static func options(_ side: Int, preview: Bool = false) -> DecodingOptions {
        DecodingOptions(
            targetSize: PixelSize(width: side, height: side),
            acceptsTruncation: preview
        )
    }

    @Test(arguments: [
        (10, 3), (40, 3), (50, 3), (51, 5), (100, 5), (101, nil), (403, nil),
    ])
    func `passes suffice if they have two samples per pixel in each direction`(
        side: Int,
        passCount: Int?
    ) {
        let target = Self.size.scaled(into: PixelSize(width: side, height: side), mode: .fit)

        #expect(Adam7(of: Self.size, for: target)?.passCount == passCount)
    }

    @Test func `small images are read to their end`() {
        #expect(
            Adam7(of: PixelSize(width: 300, height: 300), for: PixelSize(width: 9, height: 9))
                == nil
        )
    }

    @Test(arguments: [50, 100])
    func `an image of the first passes is near the mean of all pixels`(side: Int) throws {
        let image = try PNGPaths.decode(Self.bytes, Self.options(side), fast: true).get()
        let full = try PNGPaths.decode(Self.bytes, Self.options(side), fast: false).get()

        let differences = zip(image.pixels.bytes, full.pixels.bytes).map { abs(Int($0) - Int($1)) }
        #expect(image.pixels.size == full.pixels.size)
        #expect(image.properties == full.properties)
        #expect(differences.max() ?? 0 <= 2)
        #expect(differences.contains { $0 > 0 })
    }

    @Test(arguments: [(50, 3), (100, 5)])
    func `a partial file with the passes that suffice gives the image of the whole file`(
        side: Int,
        passCount: Int
    ) throws {
        let whole = try PNGPaths.decode(Self.bytes, Self.options(side), fast: true).get()
        let pixelCount = Adam7.passes[..<passCount].reduce(0) {
            $0 + $1.size(in: Self.size).pixelCount
        }
        let preview = Self.options(side, preview: true)

        // Stored blocks: three bytes a pixel, and one for each row's filter.
        let needed = pixelCount * 3
        let before = try PNGPaths.decode(Array(Self.bytes[..<needed]), preview, fast: true).get()
        let after = try PNGPaths.decode(
            Array(Self.bytes[..<(needed + 2000)]),
            preview,
            fast: true
        ).get()

        #expect(!before.isFinal)
        #expect(before.pixels.size == whole.pixels.size)
        #expect(after.isFinal)
        #expect(after == whole)
        #expect(try PNGPaths.decode(Self.bytes, preview, fast: true).get() == whole)
    }

    @Test func `an early preview has every pixel`() throws {
        let preview = Self.options(40, preview: true)

        // A little more than the first pass.
        let image = try PNGPaths.decode(Array(Self.bytes[..<7000]), preview, fast: true).get()

        #expect(
            stride(from: 3, to: image.pixels.bytes.count, by: 4).allSatisfy {
                image.pixels.bytes[$0] == 255
            }
        )
        #expect(
            PNGPaths.decode(Array(Self.bytes[..<900]), preview, fast: true)
                == .failure(.truncated(.png))
        )
    }

    @Test
    func `a file that must be complete is checked to its end, although the end is not needed`() {
        var damaged = Self.bytes
        damaged[damaged.count - 100] ^= 1
        let chunks = Self.file { stream in
            stride(from: 0, to: stream.count, by: 50_000).map {
                Array(stream[$0..<min($0 + 50_000, stream.count)])
            }
        }
        // The end of the second IDAT chunk and its checksum.
        let cut = Array(chunks[..<(33 + 2 * 50_012)])

        for bytes in [damaged, cut, Array(Self.bytes.dropLast(50))] {
            let outcome = PNGPaths.decode(bytes, Self.options(40), fast: true)
            #expect(outcome == PNGPaths.decode(bytes, Self.options(40), fast: false))
            #expect(throws: ImageDecodingError.self) { try outcome.get() }
        }
    }

    @Test func `only the pixels of the decoded passes count as memory`() {
        var options = Self.options(40)
        options.limits.maximumByteCount = 100_000

        #expect(throws: Never.self) { try PNGPaths.decode(Self.bytes, options, fast: true).get() }
        #expect(throws: ImageDecodingError.self) {
            try PNGPaths.decode(Self.bytes, options, fast: false).get()
        }
    }

    private static let kinds: [(PNGFile.ColorType, Int)] = [
        (.gray, 4), (.palette, 2), (.rgba, 8), (.grayAlpha, 16),
    ]

    @Test(arguments: kinds)
    func `pixels are sampled at their own position`(type: PNGFile.ColorType, depth: Int) throws {
        let top = 1 << depth
        var file = PNGFile(
            colorType: type,
            depth: depth,
            isInterlaced: true,
            width: 331,
            height: 307
        ) { x, y in
            (0..<type.channelCount).map { ($0 == 1 ? y : x) * top / 332 }
        }
        let colors: [UInt8] = [90, 100, 110, 94, 103, 109, 98, 106, 108, 102, 109, 107]
        if type == .palette { file.chunks = [("PLTE", colors)] }
        let box = PixelSize(width: 30, height: 30)
        let pixels = try PNGPaths.decode(file.encoded(), fast: false).get().pixels
        let grid = PixelBuffer(width: 83, height: 77) { pixels[$0 * 4, $1 * 4] }
        var resampler = Resampler(
            Sampling(source: pixels.size, step: 4, isPoint: true),
            target: pixels.size.scaled(into: box, mode: .fit),
            hasAlpha: pixels.hasAlpha
        )
        grid.bytes.withUnsafeBytes { resampler.add($0) }

        let image = try PNGPaths.decode(
            file.encoded(),
            DecodingOptions(targetSize: box),
            fast: true
        ).get()

        #expect(image.pixels.bytes == resampler.finish().bytes)
    }

    // MARK: - Hard edges

    /// Squares of `side` pixels, black and white.
    private static func squares(_ side: Int) throws -> [UInt8] {
        try PNGEncoder.encode(
            PixelBuffer(width: size.width, height: size.height) { x, y in
                let value: UInt8 = (x / side + y / side).isMultiple(of: 2) ? 0 : 255
                return Pixel(value, value, value)
            },
            interlaced: true
        )
    }

    @Test(arguments: [3, 5, 8, 20, 60], [12, 25, 50, 100])
    func `images with hard edges are read until the mean is right`(squares: Int, side: Int) throws {
        let bytes = try Self.squares(squares)

        let image = try PNGPaths.decode(bytes, Self.options(side), fast: true).get()
        let full = try PNGPaths.decode(bytes, Self.options(side), fast: false).get()

        let sum = zip(image.pixels.bytes, full.pixels.bytes).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        // 30 dB.
        #expect(sum / Double(image.pixels.size.pixelCount * 3) <= 65)
    }

    @Test func `with hard edges, the passes that suffice for a smooth image are not final`()
        throws
    {
        let bytes = try Self.squares(8)
        let whole = try PNGPaths.decode(bytes, Self.options(50), fast: true).get()
        let preview = Self.options(50, preview: true)

        for percent in [20, 50, 80] {
            let beginning = Array(bytes.prefix(bytes.count * percent / 100))
            let image = try PNGPaths.decode(beginning, preview, fast: true).get()
            #expect(!image.isFinal || image == whole, "\(percent) %")
        }
        #expect(try PNGPaths.decode(bytes, preview, fast: true).get().isFinal)
    }
}
