import Decoders
import Testing

@testable import DemoServer

struct DemoImageTests {
    private let small = PixelSize(width: 48, height: 36)

    @Test func `the same number and seed give the same pixels`() {
        for number in 1...30 {
            let first = DemoImage(number: number, seed: 3).pixels(size: small)
            let second = DemoImage(number: number, seed: 3).pixels(size: small)
            #expect(first == second)
        }
    }

    @Test func `another number or another seed gives another image`() {
        let picture = DemoImage(number: 5, seed: 3).pixels(size: small)

        #expect(picture != DemoImage(number: 6, seed: 3).pixels(size: small))
        #expect(picture != DemoImage(number: 5, seed: 4).pixels(size: small))
    }

    @Test func `the same number and seed give the same file`() throws {
        let first = try DemoImage(number: 2, seed: 1).encoded(as: .png)
        let second = try DemoImage(number: 2, seed: 1).encoded(as: .png)

        #expect(first == second)
    }

    @Test func `every image has its size and more than a few colors`() {
        for number in 1...30 {
            let pixels = DemoImage(number: number, seed: 9).pixels(size: small)
            let colors = Set(
                stride(from: 0, to: pixels.bytes.count, by: 4).map {
                    Array(pixels.bytes[$0..<$0 + 3])
                }
            )
            #expect(pixels.size == small)
            #expect(colors.count > 16, "number \(number)")
        }
    }

    @Test func `a feed has wide, tall and square images, both formats, baseline and progressive`() {
        let pictures = (1...100).map { DemoImage(number: $0, seed: 1) }

        #expect(pictures.contains { $0.size.width > $0.size.height })
        #expect(pictures.contains { $0.size.width < $0.size.height })
        #expect(pictures.contains { $0.size.width == $0.size.height })
        for format in [ImageFormat.jpeg, .png] {
            #expect(pictures.contains { $0.format == format && $0.isProgressive })
            #expect(pictures.contains { $0.format == format && !$0.isProgressive })
        }
    }

    @Test func `a sticker is transparent in its corners and opaque in the middle`() throws {
        let picture = try #require(
            (1...100).map { DemoImage(number: $0, seed: 1) }
                .first { $0.caption.hasPrefix("Sticker") }
        )

        let pixels = picture.pixels(size: small)

        #expect(pixels.hasAlpha)
        #expect(pixels.bytes[3] == 0)
        #expect(pixels.bytes[(18 * 48 + 24) * 4 + 3] == 255)
    }

    @Test func `an image at a requested width has it and keeps its aspect ratio`() throws {
        let picture = DemoImage(number: 1, seed: 1)

        let file = try picture.encoded(as: .png, width: 90)

        let size = try DecoderRegistry.standard.probe(file).size
        #expect(size == PixelSize(width: 90, height: picture.size.height * 90 / picture.size.width))
    }

    @Test(arguments: [(1, 1), (1, 200), (300, 2), (7, 7)])
    func `extreme sizes are painted`(width: Int, height: Int) {
        for number in 1...20 {
            let size = PixelSize(width: width, height: height)
            #expect(DemoImage(number: number, seed: 1).pixels(size: size).size == size)
        }
    }

    @Test func `numbers are drawn with the dots of their digits`() {
        let shown = (0..<7).map { row in
            (0..<5).map { Digits.hasDot(digit: 4, column: $0, row: row) ? "#" : "." }.joined()
        }

        #expect(shown == ["...#.", "..##.", ".#.#.", "#..#.", "#####", "...#.", "...#."])
        #expect(!Digits.hasDot(digit: 10, column: 0, row: 0))
        #expect(!Digits.hasDot(digit: 1, column: -1, row: 9))
    }
}
