import Testing

@testable import Decoders

/// Files from `PNGWriter`, read by libpng.
@Suite struct PNGWriterTests {
    @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 256], [1, 7, 16])
    func `libpng reads every index back`(colorCount: Int, width: Int) throws {
        let palette = (0..<colorCount * 3).map { UInt8(($0 * 37) & 255) }
        let size = PixelSize(width: width, height: 9)
        let indices = (0..<size.pixelCount).map { UInt8($0 * 11 % colorCount) }

        let file = try #require(PNGWriter.indexed(indices, palette: palette, size: size, level: 9))

        let expected = indices.flatMap { index -> [UInt8] in
            Array(palette[(Int(index) * 3)..<(Int(index) * 3 + 3)]) + [255]
        }
        #expect(try rows(file, size) == expected)
    }

    @Test func `libpng undoes the filters`() throws {
        let size = PixelSize(width: 2, height: 3)
        let filtered: [UInt8] =
            [0, 10, 20, 30, 40, 50, 60]
            + [1, 10, 20, 30, 1, 1, 1]
            + [2, 5, 5, 5, 250, 0, 1]

        let file = try #require(PNGWriter.rgb(filteredRows: filtered, size: size, level: 1))

        let expected: [UInt8] =
            [10, 20, 30, 255, 40, 50, 60, 255]
            + [10, 20, 30, 255, 11, 21, 31, 255]
            + [15, 25, 35, 255, 5, 21, 32, 255]
        #expect(try rows(file, size) == expected)
    }

    @Test func `an empty image is not written`() {
        let size = PixelSize(width: 0, height: 3)

        #expect(PNGWriter.indexed([], palette: [], size: size, level: 6) == nil)
    }

    @Test(arguments: [0, 1, 100_000])
    func `a deflated stream inflates to its input`(count: Int) throws {
        let bytes = (0..<count).map { UInt8($0 * $0 >> 4 & 255) }

        let stream = try #require(PNGWriter.zlibStream(of: bytes, level: 6))

        #expect(stream.prefix(1) == [0x78])
        #expect(Array(stream.suffix(4)) == adler(bytes))
        #expect(count == 0 || stream.count < count + 20)
    }

    /// Returns the checksum that ends a zlib stream (RFC 1950).
    private func adler(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return withUnsafeBytes(of: (high << 16 | low).bigEndian) { Array($0) }
    }

    private func rows(_ file: [UInt8], _ size: PixelSize) throws -> [UInt8] {
        let image = try PNGPaths.decode(file, fast: false).get()
        #expect(image.pixels.size == size)
        return image.pixels.bytes
    }
}
