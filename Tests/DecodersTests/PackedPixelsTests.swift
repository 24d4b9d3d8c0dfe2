import Testing

@testable import Decoders

struct PackedPixelsTests {
    private func pixels(_ width: Int, _ height: Int, hasAlpha: Bool, seed: UInt64) -> PixelBuffer {
        var state = seed
        var bytes: [UInt8] = []
        for index in 0..<(width * height) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = UInt8(truncatingIfNeeded: state >> 60)
            let shade = UInt8(truncatingIfNeeded: index % width)
            bytes += [shade &+ noise, shade, shade &* 3, hasAlpha ? 255 &- noise : 255]
        }
        return PixelBuffer(
            size: PixelSize(width: width, height: height),
            bytes: bytes,
            hasAlpha: hasAlpha
        )
    }

    private static let sizes = [
        (1, 1), (1, 7), (7, 1), (2, 2), (36, 36), (37, 37), (48, 32), (1, 3_000), (3_000, 1),
        (240, 160),
    ]

    @Test(arguments: sizes, [false, true])
    func `pixels are unpacked unchanged at every size`(
        size: (Int, Int),
        hasAlpha: Bool
    ) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let pixels = pixels(size.0, size.1, hasAlpha: hasAlpha, seed: seed)

            let packed = try #require(PackedPixels.pack(pixels))

            let unpacked = PackedPixels.unpack(packed[...], size: pixels.size, hasAlpha: hasAlpha)
            #expect(unpacked == pixels)
        }
    }

    @Test func `noise is unpacked unchanged and grows by very little`() throws {
        var random = SystemRandomNumberGenerator()
        let size = PixelSize(width: 100, height: 100)
        let bytes = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: true)

        let packed = try #require(PackedPixels.pack(pixels))

        #expect(PackedPixels.unpack(packed[...], size: size, hasAlpha: true) == pixels)
        #expect(packed.count < 40_100)
    }

    @Test func `a smooth image takes less than half of its size`() throws {
        let pixels = pixels(240, 160, hasAlpha: false, seed: 3)

        #expect(try #require(PackedPixels.pack(pixels)).count < 240 * 160 * 3 / 2)
    }

    // From Python: zlib.compress(bytes([10,20,30, 5,5,5] …)), so that packing and unpacking are not
    // tested only against each other.
    @Test func `pixels are stored as differences from the pixel above, red and blue less green`()
        throws
    {
        // Two columns, 1,000 rows: 10 20 30 | 12 25 30, and green is one brighter in each further
        // row.
        let rows = 1_000
        var bytes: [UInt8] = []
        for row in 0..<rows {
            let step = UInt8(truncatingIfNeeded: row)
            bytes += [10, 20 &+ step, 30, 255, 12, 25 &+ step, 30, 255]
        }
        let size = PixelSize(width: 2, height: rows)
        let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
        var differences: [UInt8] = [246, 20, 10, 253, 5, 251]
        for _ in 1..<rows { differences += [255, 1, 255, 255, 1, 255] }
        let stream = try #require(PNGWriter.zlibStream(of: differences, level: 6))

        #expect(PackedPixels.unpack(([1] + stream)[...], size: size, hasAlpha: false) == pixels)
    }

    @Test func `truncated data and data of another size are refused`() throws {
        for (width, height) in [(20, 20), (60, 60)] {
            let pixels = pixels(width, height, hasAlpha: false, seed: 9)
            let packed = try #require(PackedPixels.pack(pixels))

            for count in 0..<packed.count {
                let cut = PackedPixels.unpack(
                    packed[..<count],
                    size: pixels.size,
                    hasAlpha: false
                )
                #expect(cut == nil)
            }
            let others = [(width + 1, height), (width, height - 1), (0, 0), (1, 1)]
            for (width, height) in others {
                let size = PixelSize(width: width, height: height)
                #expect(PackedPixels.unpack(packed[...], size: size, hasAlpha: false) == nil)
            }
            #expect(PackedPixels.unpack(packed[...], size: pixels.size, hasAlpha: true) == nil)
            #expect(
                PackedPixels.unpack((packed + [0])[...], size: pixels.size, hasAlpha: false) == nil
            )
        }
    }

    @Test func `any changed byte gives pixels of the same size or an error`() throws {
        let pixels = pixels(60, 60, hasAlpha: true, seed: 4)
        let packed = try #require(PackedPixels.pack(pixels))

        for index in packed.indices {
            var changed = packed
            changed[index] ^= UInt8(1) << UInt8(index % 8)
            let found = PackedPixels.unpack(changed[...], size: pixels.size, hasAlpha: true)
            #expect(found.map { $0.size == pixels.size } ?? true)
        }
    }

    @Test func `an empty image cannot be packed`() {
        let empty = PixelBuffer(
            size: PixelSize(width: 0, height: 5),
            bytes: [],
            hasAlpha: false
        )

        #expect(PackedPixels.pack(empty) == nil)
    }
}
