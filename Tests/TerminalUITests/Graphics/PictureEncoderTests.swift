import Decoders
import Testing

@testable import TerminalUI

@Suite struct PictureEncoderTests {
    // kitty keeps the aspect ratio of an image that it enlarges.
    @Test func `an image of half the size leaves no line at the edge of any box`() {
        var boxes = 0
        for cell in [(9, 18), (10, 21), (7, 15), (8, 17), (11, 23), (13, 29)] {
            for columns in 8...60 {
                for rows in stride(from: 4, through: 40, by: 3) {
                    let size = PixelSize(width: columns * cell.0, height: rows * cell.1)
                    let half = HalfSize.half(of: size)
                    let scale = min(
                        Double(size.width) / Double(half.width),
                        Double(size.height) / Double(half.height)
                    )
                    let across = Double(size.width) - scale * Double(half.width)
                    let down = Double(size.height) - scale * Double(half.height)
                    #expect(max(across, down) < 0.65, "\(size): \(half)")
                    #expect((0.7...1.3).contains(2 * Double(half.height) / Double(size.height)))
                    boxes += 1
                }
            }
        }
        #expect(boxes > 4000)
    }

    // Not every ratio near 1:1 or 2:1 is the ratio of two smaller numbers.
    @Test func `an image with fewer pixels leaves no line at the edge of most large boxes`() {
        var lines: [Double] = []
        for cell in [(9, 18), (10, 21), (7, 15), (13, 29)] {
            for columns in stride(from: 60, through: 240, by: 7) {
                for rows in stride(from: 23, through: 70, by: 3) {
                    let size = PixelSize(width: columns * cell.0, height: rows * cell.1)
                    guard size.pixelCount > 200_000 else { continue }
                    let reduced = size.reduced(toPixelCount: 200_000)
                    let scale = min(
                        Double(size.width) / Double(reduced.width),
                        Double(size.height) / Double(reduced.height)
                    )
                    let across = Double(size.width) - scale * Double(reduced.width)
                    let down = Double(size.height) - scale * Double(reduced.height)
                    lines.append(max(across, down))
                    #expect((150_000...201_000).contains(reduced.pixelCount), "\(size)")
                }
            }
        }
        #expect(lines.count > 1_500)
        #expect(lines.allSatisfy { $0 < 2 })
        #expect(lines.count { $0 >= 0.65 } < 15)
    }

    private func encode(
        _ pixels: PixelBuffer,
        _ graphics: GraphicsProtocol,
        _ byteLimit: Int = 60_000
    ) -> EncodedPicture {
        PictureEncoder.encode(pixels, for: graphics, budget: GraphicsBudget(byteLimit: byteLimit))
    }

    /// Returns the image as an independent decoder reads it.
    private func decoded(_ picture: EncodedPicture) throws -> PixelBuffer {
        picture.form == .sixel
            ? try LibSixel.decode(picture.payload) : try Pictures.decoded(picture.payload)
    }

    @Test func `local images stay within 60 kB and within 38 dB of the original`() throws {
        try #require(Pictures.samples.count > 3)
        for graphics in GraphicsProtocol.allCases where graphics != .sixel {
            var distances: [Double] = []
            for picture in Pictures.samples.values {
                let encoded = encode(picture, graphics, GraphicsBudget.local.byteLimit)

                #expect(encoded.byteCountOnLine <= 60_000)
                #expect(encoded.size == picture.size)
                distances.append(peakSignalToNoise(try decoded(encoded), picture))
            }
            #expect(distances.median > 38, "\(graphics)")
        }
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `remote images stay within 20 kB`(graphics: GraphicsProtocol) throws {
        for picture in Pictures.samples.values {
            let encoded = encode(picture, graphics, GraphicsBudget.remote.byteLimit)

            #expect(encoded.byteCountOnLine <= 20_000)
        }
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `an image above the budget is made as small as possible`(graphics: GraphicsProtocol) throws
    {
        let noise = Pictures.noise(width: 120, height: 90, seed: 1)

        let small = encode(noise, graphics, 0)

        #expect(small.byteCountOnLine < encode(noise, graphics, 60_000).byteCountOnLine / 3)
        #expect(try decoded(small).size == small.size)
    }

    @Test func `a generous budget keeps every pixel in kitty's protocol`() throws {
        let picture = Pictures.noise(width: 70, height: 70, seed: 2)

        let encoded = encode(picture, .kittyPlaceholders, 1_000_000)

        #expect(try decoded(encoded) == picture)
    }

    @Test(arguments: [GraphicsProtocol.kitty, .iterm])
    func `a drawing of few colors stays exact`(graphics: GraphicsProtocol) throws {
        let drawing = Pictures.make(width: 190, height: 220) { x, y in
            (x / 20 + y / 20).isMultiple(of: 2) ? (200, 30, 30) : (20, 40, 90)
        }

        let encoded = encode(drawing, graphics, 2_000)

        #expect(encoded.form == .png)
        #expect(try decoded(encoded) == drawing)
    }

    @Test func `a few pixels are sent without a file format`() {
        let dot = Pictures.make(width: 1, height: 1) { _, _ in (1, 2, 3) }

        let encoded = encode(dot, .kitty)

        #expect(encoded.form == .rgb)
        #expect(encoded.payload == [1, 2, 3])
    }

    @Test func `half as many pixels are sent if a smooth image would otherwise lose more`() {
        let smooth = Pictures.make(width: 300, height: 300) { x, y in
            let wave = (x * x + y * y) / 60 % 400
            return (UInt8(abs(wave - 200)), UInt8(x * 200 / 300), UInt8(y * 200 / 300))
        }

        let encoded = encode(smooth, .kittyPlaceholders, 6_000)

        #expect(encoded.byteCountOnLine <= 6_000)
        #expect(encoded.size == PixelSize(width: 150, height: 150))
    }

    @Test func `a large image whose arrival is awaited is within a near terminal's budget`() throws
    {
        let noise = Pictures.noise(width: 440, height: 300, seed: 4)
        let limit = GraphicsBudget.local.scaled(toPixels: noise.size.pixelCount).byteLimit

        let encoded = encode(noise, .kitty, limit)

        #expect(encoded.form == .png && encoded.size == noise.size)
        #expect(encoded.byteCountOnLine <= limit)
        #expect(encoded.byteCountOnLine > limit / 2)
    }

    @Test func `sixels have no more colors than the terminal has registers`() {
        let noise = Pictures.noise(width: 60, height: 60, seed: 3)
        let budget = GraphicsBudget(byteLimit: 60_000, colorLimit: 16)

        let encoded = PictureEncoder.encode(noise, for: .sixel, budget: budget)

        let text = String(decoding: encoded.payload, as: UTF8.self)
        #expect(text.contains("#15;2;"))
        #expect(!text.contains("#16;2;"))
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `alpha does not change the result`(graphics: GraphicsProtocol) {
        let opaque = Pictures.scene(width: 40, height: 30)
        let bytes = opaque.bytes.enumerated().map { $0.offset % 4 == 3 ? 7 : $0.element }
        let translucent = PixelBuffer(size: opaque.size, bytes: bytes, hasAlpha: true)

        #expect(encode(translucent, graphics) == encode(opaque, graphics))
    }

    @Test(arguments: GraphicsProtocol.allCases, [(1, 1), (1, 100_000), (70_000, 1), (3, 1)])
    func `extreme aspect ratios are encoded`(graphics: GraphicsProtocol, size: (Int, Int)) throws {
        let picture = Pictures.make(width: size.0, height: size.1) { x, y in
            (UInt8(x & 255), UInt8(y & 255), UInt8((x ^ y) >> 3 & 255))
        }

        let encoded = encode(picture, graphics)

        #expect(!encoded.payload.isEmpty)
        // The decoders take sides of up to 65500.
        guard encoded.form == .png, max(size.0, size.1) <= 65500 else { return }
        #expect(try decoded(encoded).size == encoded.size)
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `an empty image is not sent`(graphics: GraphicsProtocol) {
        let size = PixelSize(width: 0, height: 10)
        let empty = PixelBuffer(size: size, bytes: [], hasAlpha: false)

        let encoded = encode(empty, graphics)

        #expect(encoded.payload.isEmpty)
        #expect(encoded.size == size)
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `the same image gives the same bytes`(graphics: GraphicsProtocol) {
        let picture = Pictures.noise(width: 50, height: 40, seed: 9)

        #expect(encode(picture, graphics, 4_000) == encode(picture, graphics, 4_000))
    }
}
