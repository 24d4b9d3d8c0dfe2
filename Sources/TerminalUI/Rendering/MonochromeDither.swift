internal import Decoders
internal import Glibc

/// Reduces an image to pixels that are on or off.
///
/// Objects can be distinguished only by brightness and edges. Therefore, the full range of
/// brightness is used, and edges are sharpened.
struct MonochromeDither {
    package let dithering: Dithering
    /// Whether a pixel is drawn as a dot, which covers a quarter of the pixel's area.
    ///
    /// With dots, encoded values give an image the right brightness. With blocks, the image would
    /// be too bright, so the values are reduced.
    let isDots: Bool

    /// Returns the image in black and white.
    func dithered(_ plane: PixelPlane) -> PixelPlane {
        let tone = ToneRange(of: plane)
        let width = plane.size.width
        let tones = plane.colors.map { Float(tone.stretched(RGB($0).luma)) / 255 }
        var values = Self.sharpened(tones, width: width)
        if !isDots { for index in values.indices { values[index] *= values[index].squareRoot() } }
        let lit = lit(values, width: width)
        var shown = plane
        for index in shown.colors.indices {
            // Missing parts are off.
            let isLit = lit[index] && plane.colors[index].w > 0
            shown.colors[index] = SIMD4(repeating: isLit ? 255 : 0)
        }
        return shown
    }

    private func lit(_ values: [Float], width: Int) -> [Bool] {
        switch dithering {
        case .none: values.map { $0 > 0.5 }
        case .ordered:
            values.enumerated().map { index, value in
                let threshold = OrderedDither.threshold(row: index / width, column: index % width)
                return value > (Float(threshold) + 0.5) / 16
            }
        case .diffusion: Self.diffused(values, width: width)
        }
    }

    /// Applies `ErrorDiffusion` to one value per pixel.
    private static func diffused(_ values: [Float], width: Int) -> [Bool] {
        guard width > 0 else { return [] }
        var lit = Array(repeating: false, count: values.count)
        var errors = Array(repeating: Float(), count: width + 2)
        var below = errors
        for row in 0..<values.count / width {
            let isLeftward = !row.isMultiple(of: 2)
            let forward = isLeftward ? -1 : 1
            for step in 0..<width {
                let column = isLeftward ? width - 1 - step : step
                let target = values[row * width + column] + max(-0.5, min(0.5, errors[column + 1]))
                lit[row * width + column] = target > 0.5
                let rest = (target - (target > 0.5 ? 1 : 0)) / 16
                errors[column + 1 + forward] += rest * 7
                below[column + 1 - forward] += rest * 3
                below[column + 1] += rest * 5
                below[column + 1 + forward] += rest
            }
            (errors, below) = (below, errors)
            for index in below.indices { below[index] = 0 }
        }
        return lit
    }

    /// Sharpens values with an unsharp mask.
    ///
    /// The mask moves each value away from the mean of its neighbors.
    private static func sharpened(_ values: [Float], width: Int) -> [Float] {
        guard width > 0 else { return values }
        let height = values.count / width
        let rows = values.indices.map { place in
            let start = place - place % width
            return mean { values[start + min(max(place % width + $0, 0), width - 1)] }
        }
        return values.indices.map { place in
            let mean = mean { offset in
                rows[min(max(place / width + offset, 0), height - 1) * width + place % width]
            }
            return max(0, min(1, values[place] + 0.8 * (values[place] - mean)))
        }
    }

    private static func mean(_ value: (Int) -> Float) -> Float {
        var sum: Float = 0
        for offset in -3...3 { sum += kernel[offset + 3] * value(offset) }
        return sum
    }

    /// A Gaussian with a standard deviation of 1.2 pixels.
    private static let kernel: [Float] = {
        let weights = (-3...3).map { expf(-Float($0 * $0) / (2 * 1.2 * 1.2)) }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }()
}
