internal import Decoders

/// A picture of half as many pixels each way, which the terminal enlarges smoothly.
enum HalfSize {
    /// Nil for a picture too small to be halved.
    ///
    /// The error is that of the enlarged picture, as far as halving makes it, and that of the file.
    static func picture(_ pixels: PixelBuffer, limit: Int) -> PNGPicture? {
        let size = pixels.size
        guard size.width >= 16, size.height >= 16 else { return nil }
        let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        let reduced = pixels.resampled(to: half)
        let encoded = PNGPicture.nearLossless(reduced, limit: limit)
        let error = squaredError(of: reduced, enlargedTo: pixels)
        return PNGPicture(
            file: encoded.picture.payload,
            size: half,
            squaredError: error + encoded.squaredError * 4
        )
    }

    /// The sum of the squared differences between `original` and a smaller picture whose pixels are
    /// interpolated linearly between their centres, as graphics hardware does.
    private static func squaredError(
        of reduced: PixelBuffer,
        enlargedTo original: PixelBuffer
    ) -> Double {
        let columns = Interpolation.all(from: reduced.size.width, to: original.size.width)
        let rows = Interpolation.all(from: reduced.size.height, to: original.size.height)
        var sum = 0.0
        reduced.bytes.withUnsafeBufferPointer { small in
            original.bytes.withUnsafeBufferPointer { large in
                var place = 0
                for row in rows {
                    let low = row.low * reduced.size.width
                    let high = row.high * reduced.size.width
                    for column in columns {
                        for channel in 0..<3 {
                            func mixed(_ start: Int) -> Float {
                                column.mix(
                                    Float(small[(start + column.low) * 4 + channel]),
                                    Float(small[(start + column.high) * 4 + channel])
                                )
                            }
                            let wanted = Float(large[place + channel])
                            let difference = row.mix(mixed(low), mixed(high)) - wanted
                            sum += Double(difference * difference)
                        }
                        place += 4
                    }
                }
            }
        }
        return sum
    }
}

/// Between which two samples a sample lies, and how far from the first one.
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
