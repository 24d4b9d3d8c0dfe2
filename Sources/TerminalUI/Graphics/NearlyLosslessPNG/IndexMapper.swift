internal import Decoders

/// Chooses the colors of an image for a palette PNG, row by row.
///
/// Each pixel gets the color with the lowest cost, which is the squared distance between the two
/// colors plus `byteWeight` for each byte that the color takes. A pixel takes fewer bytes if a
/// neighboring pixel has the same color because deflate then finds repetitions. The fraction
/// `diffusion` of the color error is distributed to other pixels (with Floyd and Steinberg's
/// weights), so gradients do not turn into patches.
struct IndexMapper {
    /// The estimated number of bytes for a pixel of any color, and for a pixel with the same color
    /// as a neighbor.
    ///
    /// The neighbors are the pixels to the left, above, and above left.
    private static let choosing: Float = 1
    private static let repeating: Float = 0.4
    private static let diffusion: Float = 0.75

    private let palette: Palette
    private let byteWeight: Float

    init(palette: Palette, byteWeight: Float) {
        (self.palette, self.byteWeight) = (palette, byteWeight)
    }

    /// Returns the palette index of each pixel.
    ///
    /// `nearest` contains the index of the nearest palette color for each color in
    /// `histogram.points`.
    func indices(
        of pixels: PixelBuffer,
        histogram: ColorHistogram,
        nearest: [UInt8]
    ) -> [UInt8] {
        let (width, height) = (pixels.size.width, pixels.size.height)
        var indices = [UInt8](repeating: 0, count: width * height)
        // The errors to compensate for in this row and the next; the error for column x is at index
        // x + 1.
        var errors = [Color](repeating: .zero, count: width + 2)
        var nextErrors = errors
        palette.withSearch { palette in
            pixels.bytes.withUnsafeBufferPointer { bytes in
                indices.withUnsafeMutableBufferPointer { indices in
                    for y in 0..<height {
                        for x in 0..<width {
                            let place = y * width + x
                            let (red, green, blue) =
                                (bytes[place * 4], bytes[place * 4 + 1], bytes[place * 4 + 2])
                            let color =
                                (Color(Float(red), Float(green), Float(blue), 0) + errors[x + 1])
                                .clamped(lowerBound: .zero, upperBound: Color(repeating: 255))
                            let bin = ColorHistogram.bin(red, green, blue)
                            let guess = nearest[Int(histogram.pointOfBin[bin])]
                            var best = palette.nearest(to: color, from: guess)
                            var cost =
                                palette.distance(of: best, to: color)
                                + Self.choosing * byteWeight
                            @inline(__always) func consider(_ neighbor: Int) {
                                let index = indices[neighbor]
                                let found =
                                    palette.distance(of: index, to: color)
                                    + Self.repeating * byteWeight
                                if found < cost { (best, cost) = (index, found) }
                            }
                            if x > 0 { consider(place - 1) }
                            if y > 0 { consider(place - width) }
                            if x > 0, y > 0 { consider(place - width - 1) }
                            indices[place] = best
                            let error = (color - palette.colors[Int(best)]) * Self.diffusion
                            errors[x + 2] += error * (7 / 16)
                            nextErrors[x] += error * (3 / 16)
                            nextErrors[x + 1] += error * (5 / 16)
                            nextErrors[x + 2] += error * (1 / 16)
                        }
                        swap(&errors, &nextErrors)
                        for index in nextErrors.indices { nextErrors[index] = .zero }
                    }
                }
            }
        }
        return indices
    }
}
