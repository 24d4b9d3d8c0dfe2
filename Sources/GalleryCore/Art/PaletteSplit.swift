/// The two palette colours of least error for a cell, and which pixels take the first.
///
/// The best entry for a group of pixels is the one nearest to their mean, so every split is worth
/// its own error and what its two means are off. Splits whose own error is larger than the best
/// found are passed over, which leaves few of a cell that is not nearly plain.
struct PaletteSplit {
    typealias Entry = (index: UInt8, color: RGB)

    let palette: Palette
    let split: TwoColorSplit

    /// The pattern and the entries for its pixels and for the others.
    func best(_ pixels: CellPixels) -> (pattern: Int, inside: Entry, outside: Entry) {
        nearest(pixels) ?? search(pixels)
    }

    /// Each pixel's own nearest entry, if these are two at most: nothing can be nearer.
    private func nearest(_ pixels: CellPixels) -> (pattern: Int, inside: Entry, outside: Entry)? {
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
        return (pattern, inside ?? last, last)
    }

    private func search(
        _ pixels: CellPixels
    ) -> (pattern: Int, inside: Entry, outside: Entry) {
        // Plain squared distances of these are the palette's own distances.
        let (red, green, blue) = Palette.channelWeights
        let scaled = pixels.scaled(
            red: Float(red).squareRoot(),
            green: Float(green).squareRoot(),
            blue: Float(blue).squareRoot()
        )
        var gains = InlineArray<16, SIMD8<Float>>(repeating: .zero)
        split.forEachEight(scaled) { gains[$0] = $1 }
        let plain = scaled.squaredError(count: split.pixelCount)
        let all = (1 << split.pixelCount) - 1
        var found = candidate(split.best(scaled), of: all, pixels)
        for pattern in 0...all >> 1 where plain - gains[pattern >> 3][pattern & 7] < found.error {
            let next = candidate(pattern, of: all, pixels)
            if next.error < found.error { found = next }
        }
        return (found.pattern, found.inside, found.outside)
    }

    private struct Candidate {
        var pattern: Int
        var inside: Entry
        var outside: Entry
        var error: Float
    }

    private func candidate(_ pattern: Int, of all: Int, _ pixels: CellPixels) -> Candidate {
        let outside = palette.nearest(to: pixels.mean(of: all & ~pattern))
        let inside = pattern == 0 ? outside : palette.nearest(to: pixels.mean(of: pattern))
        var error = 0
        for pixel in 0..<split.pixelCount {
            let shown = pattern >> pixel & 1 == 1 ? inside.color : outside.color
            error += Palette.distance(RGB(pixels[pixel]), shown)
        }
        return Candidate(
            pattern: pattern,
            inside: inside,
            outside: outside,
            error: Float(error)
        )
    }
}

extension CellPixels {
    /// The squared error of showing all pixels in their mean.
    fileprivate func squaredError(count: Int) -> Float {
        func error(_ values: SIMD8<Float>) -> Float {
            (values * values).sum() - values.sum() * values.sum() / Float(count)
        }
        return error(red) + error(green) + error(blue)
    }
}
