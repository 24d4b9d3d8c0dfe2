internal import Decoders

/// A namespace for encoding an image with half as many pixels in each direction.
///
/// The terminal enlarges the image smoothly.
enum HalfSize {
    /// Returns the reduced image, or nil if `pixels` is too small to be halved.
    ///
    /// The `samples` of the result are the pixels of the enlarged image as displayed by the
    /// terminal.
    static func picture(_ pixels: PixelBuffer, limit: Int) -> PNGPicture? {
        let size = pixels.size
        guard size.width >= 16, size.height >= 16 else { return nil }
        let half = half(of: size)
        let encoded = PNGPicture.nearLossless(pixels.resampled(to: half), limit: limit)
        return PNGPicture(
            file: encoded.picture.payload,
            size: half,
            samples: enlarged(encoded.samples, half, to: size)
        )
    }

    /// Returns the size nearest to half of `size` that has the same aspect ratio.
    static func half(of size: PixelSize) -> PixelSize {
        let middle = (size.height + 1) / 2
        return size.similar(heights: (0...middle / 4).flatMap { [middle - $0, middle + $0] })
    }

    /// Returns the red, green and blue samples of the enlarged image.
    ///
    /// Like graphics hardware, this method interpolates linearly between pixel centers.
    private static func enlarged(
        _ samples: [UInt8],
        _ size: PixelSize,
        to larger: PixelSize
    ) -> [UInt8] {
        let columns = Interpolation.all(from: size.width, to: larger.width)
        let rows = Interpolation.all(from: size.height, to: larger.height)
        var result: [UInt8] = []
        result.reserveCapacity(larger.pixelCount * 3)
        samples.withUnsafeBufferPointer { samples in
            for row in rows {
                let (low, high) = (row.low * size.width, row.high * size.width)
                for column in columns {
                    for channel in 0..<3 {
                        @inline(__always) func mixed(_ start: Int) -> Float {
                            column.mix(
                                Float(samples[(start + column.low) * 3 + channel]),
                                Float(samples[(start + column.high) * 3 + channel])
                            )
                        }
                        result.append(UInt8(row.mix(mixed(low), mixed(high)) + 0.5))
                    }
                }
            }
        }
        return result
    }
}

extension PixelSize {
    /// Returns the largest size with the same aspect ratio and about `limit` pixels, or this size
    /// if it has no more pixels.
    func reduced(toPixelCount limit: Int) -> PixelSize {
        guard pixelCount > limit else { return self }
        let factor = (Double(limit) / Double(pixelCount)).squareRoot()
        let tallest = max(1, Int(Double(height) * factor))
        return similar(heights: (0...tallest / 8).map { tallest - $0 })
    }

    /// Returns the first size with one of the heights that has the same aspect ratio, or the size
    /// with the most similar aspect ratio if there is none.
    ///
    /// When kitty enlarges an image, it keeps the image's aspect ratio. If the box of cells has
    /// another ratio, a line of the background remains visible at an edge. The line is invisible if
    /// its width is at most a tenth of a pixel.
    fileprivate func similar(heights: [Int]) -> PixelSize {
        let sizes = heights.map { height in
            let width = (2 * height * self.width + self.height) / (2 * self.height)
            return PixelSize(width: max(1, width), height: height)
        }
        func lineWidth(_ size: PixelSize) -> Double {
            let difference = abs(size.width * height - size.height * width)
            return Double(difference) / Double(min(size.width, size.height))
        }
        return sizes.first { lineWidth($0) <= 0.1 }
            ?? sizes.min { lineWidth($0) < lineWidth($1) } ?? self
    }
}

/// The two source samples of an interpolated sample.
///
/// `share` is the weight of the second sample, from 0 to 1.
private struct Interpolation {
    let low: Int
    let high: Int
    let share: Float

    @inline(__always)
    func mix(_ one: Float, _ other: Float) -> Float { one + (other - one) * share }

    static func all(from count: Int, to largerCount: Int) -> [Interpolation] {
        (0..<largerCount).map { index in
            let position = (Float(index) + 0.5) * Float(count) / Float(largerCount) - 0.5
            let low = max(0, Int(position.rounded(.down)))
            return Interpolation(
                low: low,
                high: min(low + 1, count - 1),
                share: min(max(0, position - Float(low)), 1)
            )
        }
    }
}
