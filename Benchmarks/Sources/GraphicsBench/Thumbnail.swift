import Decoders
import Foundation

/// An image at the size of a cell of the gallery.
struct Thumbnail {
    static let size = PixelSize(width: 190, height: 220)

    let pixels: PixelBuffer

    /// Crops the middle of an image; nil if the image cannot be decoded.
    init?(_ path: String) {
        guard let file = FileManager.default.contents(atPath: path),
            let image = try? DecoderRegistry.standard.decode(
                Array(file),
                options: DecodingOptions()
            )
        else { return nil }
        let (width, height) = (image.pixels.size.width, image.pixels.size.height)
        let cut = PixelSize(
            width: min(width, height * Self.size.width / Self.size.height),
            height: min(height, width * Self.size.height / Self.size.width)
        )
        let crop = PixelRect(
            x: (width - cut.width) / 2,
            y: (height - cut.height) / 2,
            width: cut.width,
            height: cut.height
        )
        let bytes = image.pixels.resampled(to: Self.size, from: crop).bytes
        pixels = PixelBuffer(size: Self.size, bytes: bytes, hasAlpha: false)
    }

    /// Returns the similarity to `other` in decibels; images with fewer pixels are enlarged
    /// linearly, as terminals do.
    func likeness(to other: PixelBuffer) -> Double {
        var sum = 0.0
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                for channel in 0..<3 {
                    let shown = Self.sample(other, x, y, channel)
                    let place = (y * Self.size.width + x) * 4 + channel
                    let difference = shown - Double(pixels.bytes[place])
                    sum += difference * difference
                }
            }
        }
        let mean = sum / Double(Self.size.pixelCount * 3)
        return 10 * log10(255 * 255 / max(mean, 1e-9))
    }

    private static func sample(_ pixels: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) -> Double
    {
        func place(_ index: Int, _ count: Int, _ largerCount: Int) -> (Int, Int, Double) {
            let position = (Double(index) + 0.5) * Double(count) / Double(largerCount) - 0.5
            let low = max(0, Int(position.rounded(.down)))
            return (low, min(low + 1, count - 1), min(max(0, position - Double(low)), 1))
        }
        func sample(_ x: Int, _ y: Int) -> Double {
            Double(pixels.bytes[(y * pixels.size.width + x) * 4 + channel])
        }
        let (left, right, across) = place(x, pixels.size.width, size.width)
        let (top, bottom, down) = place(y, pixels.size.height, size.height)
        let above = sample(left, top) * (1 - across) + sample(right, top) * across
        let below = sample(left, bottom) * (1 - across) + sample(right, bottom) * across
        return above * (1 - down) + below * down
    }
}
