import Decoders
import Testing

@Suite struct CropTests {
    private let source = noise(width: 12, height: 9, hasAlpha: false, seed: 2)

    @Test func `a crop at its own size is the pixels inside`() {
        let result = source.resampled(
            to: PixelSize(width: 5, height: 4),
            from: PixelRect(x: 3, y: 2, width: 5, height: 4)
        )

        #expect(result == PixelBuffer(width: 5, height: 4) { source[$0 + 3, $1 + 2] })
    }

    @Test func `a crop beyond the edges is cut to them`() {
        let result = source.resampled(
            to: PixelSize(width: 4, height: 3),
            from: PixelRect(x: 8, y: 6, width: 100, height: 100)
        )

        #expect(result == PixelBuffer(width: 4, height: 3) { source[$0 + 8, $1 + 6] })
    }

    @Test(arguments: [
        PixelRect(x: 50, y: 0, width: 3, height: 3), PixelRect(x: 0, y: 0, width: 0, height: 3),
        PixelRect(x: 0, y: 0, width: -4, height: 3), PixelRect(x: -9, y: 0, width: 3, height: 3),
        PixelRect(x: .max, y: .max, width: .max, height: .max),
        PixelRect(x: .min, y: .min, width: .max, height: .max),
    ])
    func `a crop that misses the picture is transparent`(crop: PixelRect) {
        let result = source.resampled(to: PixelSize(width: 2, height: 2), from: crop)

        #expect(result.bytes == Array(repeating: 0, count: 16))
        #expect(result.hasAlpha)
    }

    @Test func `a crop that is larger than numbers go is the whole picture`() {
        let crop = PixelRect(x: 0, y: 0, width: .max, height: .max)

        #expect(source.resampled(to: source.size, from: crop) == source)
    }

    @Test func `an empty target has no pixels`() {
        #expect(source.resampled(to: PixelSize(width: 0, height: 5)).bytes.isEmpty)
    }
}
