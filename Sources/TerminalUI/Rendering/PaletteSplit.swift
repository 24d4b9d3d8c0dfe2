/// Finds the two palette colors that show the pixels of a cell with the least error.
///
/// A split divides the pixels into two groups. Each group is shown in the palette entry nearest to
/// its mean color. The total error of a split is the sum of two errors: one from showing each group
/// in its mean color, and one from replacing the two means with palette entries. If the first error
/// alone exceeds the best total so far, the split is skipped. Few splits remain unless the cell is
/// nearly plain.
struct PaletteSplit {
    package typealias Entry = (index: UInt8, color: RGB)

    /// A pattern of pixels, and two palette entries: one for the pixels in the pattern, and one for
    /// all others.
    package struct Choice {
        package var pattern: Int
        package var inside: Entry
        package var outside: Entry
    }

    package let palette: TerminalPalette
    package let split: TwoColorSplit

    package func best(_ pixels: CellPixels) -> Choice {
        nearest(pixels) ?? search(pixels)
    }

    /// Returns the choice in which each pixel has its nearest entry, or nil if this requires more
    /// than two entries.
    ///
    /// Such a choice is optimal.
    private func nearest(_ pixels: CellPixels) -> Choice? {
        let last = palette.nearest(to: RGB(pixels[split.pixelCount - 1]))
        var inside: Entry?
        var pattern = 0
        for pixel in 0..<split.pixelCount - 1 {
            let entry = palette.nearest(to: RGB(pixels[pixel]))
            guard entry.index != last.index else { continue }
            guard entry.index == inside?.index ?? entry.index else { return nil }
            inside = entry
            pattern |= 1 << pixel
        }
        return Choice(pattern: pattern, inside: inside ?? last, outside: last)
    }

    private func search(_ pixels: CellPixels) -> Choice {
        // The unweighted squared distances of the scaled values equal the palette's weighted
        // distances.
        let (red, green, blue) = TerminalPalette.channelWeights
        let scaled = pixels.scaled(
            red: Float(red).squareRoot(),
            green: Float(green).squareRoot(),
            blue: Float(blue).squareRoot()
        )
        var gains = InlineArray<16, SIMD8<Float>>(repeating: .zero)
        split.forEachEight(scaled) { gains[$0] = $1 }
        let plain = scaled.squaredError(count: split.pixelCount)
        let sums = SubsetSums(pixels, count: split.pixelCount)
        func error(of pattern: Int) -> Float { plain - gains[pattern >> 3][pattern & 7] }
        let first = split.best(scaled)
        var found = candidate(first, error: error(of: first), sums: sums)
        for pattern in 0..<1 << (split.pixelCount - 1) where error(of: pattern) < found.error {
            let next = candidate(pattern, error: error(of: pattern), sums: sums)
            if next.error < found.error { found = next }
        }
        return found.choice
    }

    private func candidate(
        _ pattern: Int,
        error: Float,
        sums: SubsetSums
    ) -> (choice: Choice, error: Float) {
        let sum = sums[pattern]
        let (outside, outsideError) = entry(sums.total - sum)
        guard pattern != 0 else {
            return (Choice(pattern: 0, inside: outside, outside: outside), error + outsideError)
        }
        let (inside, insideError) = entry(sum)
        return (
            Choice(pattern: pattern, inside: inside, outside: outside),
            error + insideError + outsideError
        )
    }

    /// Returns the entry nearest to the mean color of a group, and the error caused by using it.
    private func entry(_ sum: SIMD4<Float>) -> (Entry, error: Float) {
        let mean = sum / sum.w
        let near = mean.rounded(.toNearestOrAwayFromZero)
        let entry = palette.nearest(
            to: RGB(red: Int(near.x), green: Int(near.y), blue: Int(near.z))
        )
        let color = entry.color
        let off = mean - SIMD4(Float(color.red), Float(color.green), Float(color.blue), 1)
        return (entry, (off * off * Self.weights).sum() * sum.w)
    }

    private static let weights: SIMD4<Float> = {
        let (red, green, blue) = TerminalPalette.channelWeights
        return SIMD4(Float(red), Float(green), Float(blue), 0)
    }()
}

/// The sums of red, green and blue for any pattern of pixels.
///
/// The fourth component is the number of pixels in the pattern.
private struct SubsetSums {
    private var low = InlineArray<16, SIMD4<Float>>(repeating: .zero)
    private var high = InlineArray<16, SIMD4<Float>>(repeating: .zero)
    let total: SIMD4<Float>

    init(_ pixels: CellPixels, count: Int) {
        func value(_ pixel: Int) -> SIMD4<Float> {
            pixel < count
                ? SIMD4(pixels.red[pixel], pixels.green[pixel], pixels.blue[pixel], 1) : .zero
        }
        for pattern in 1..<16 {
            let pixel = pattern.trailingZeroBitCount
            low[pattern] = low[pattern & (pattern - 1)] + value(pixel)
            high[pattern] = high[pattern & (pattern - 1)] + value(pixel + 4)
        }
        total = low[15] + high[15]
    }

    subscript(pattern: Int) -> SIMD4<Float> { low[pattern & 15] + high[pattern >> 4] }
}

extension CellPixels {
    /// Returns the squared error of showing all pixels in their mean color.
    fileprivate func squaredError(count: Int) -> Float {
        func error(_ values: SIMD8<Float>) -> Float {
            (values * values).sum() - values.sum() * values.sum() / Float(count)
        }
        return error(red) + error(green) + error(blue)
    }
}
