import Decoders
import Glibc
import Testing

@testable import Feeds

/// Placeholders of a few characters.
struct BlurHashTests {
    @Test func `pixels equal those of another implementation, up to rounding`() throws {
        let vectors = try Self.vectors()

        #expect(vectors.count == 9)
        for vector in vectors {
            let hash = try #require(BlurHash(vector.text), "\(vector.text)")
            let pixels = hash.pixels(width: vector.width, height: vector.height)
            let colors = pixels.bytes.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
            #expect(colors.count == vector.colors.count)
            let differences = zip(colors, vector.colors).map { abs(Int($0) - Int($1)) }
            #expect(differences.allSatisfy { $0 <= 1 }, "\(vector.text)")
        }
    }

    @Test(arguments: [
        "", "0", "00OZZ", "00OZZyy", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "00OZZ\"", "00OZZä", "00OZZ ",
        String(repeating: "~", count: 167),
    ])
    func `an invalid BlurHash gives no image`(text: String) {
        #expect(BlurHash(text) == nil)
    }

    @Test(arguments: [
        (4000, 3000, 32, 24), (3000, 4000, 24, 32), (100_000, 1, 32, 1), (0, 0, 1, 1),
    ])
    func `a placeholder has the aspect ratio of its image, and few pixels`(
        width: Int,
        height: Int,
        expectedWidth: Int,
        expectedHeight: Int
    ) throws {
        let hash = try #require(BlurHash("00OZZy"))

        let size = hash.pixels(of: PixelSize(width: width, height: height)).size

        #expect(size == PixelSize(width: expectedWidth, height: expectedHeight))
    }

    private struct Vector {
        let text: String
        let width: Int
        let height: Int
        let colors: [UInt8]
    }

    private static func vectors() throws -> [Vector] {
        try Fixture("blurhashes.tsv").table()
            .map { line in
                let parts = line.map(String.init)
                let digits = Array(parts[3])
                return Vector(
                    text: parts[0],
                    width: try #require(Int(parts[1])),
                    height: try #require(Int(parts[2])),
                    colors: stride(from: 0, to: digits.count, by: 2).compactMap {
                        UInt8(String(digits[$0...$0 + 1]), radix: 16)
                    }
                )
            }
    }
}
