/// A palette that is sorted by the sum of the color channels to find the nearest color quickly.
///
/// If the sums of two colors differ by s, the colors are at least s/√3 apart. Therefore, a search
/// that starts at a good guess and proceeds in both directions needs to check only a few colors.
struct Palette {
    /// The colors; the fourth component is 0.
    private(set) var colors: [Color] = []
    private var sums: [Float] = []

    /// Creates a palette from `colors`, which are sorted.
    init(_ colors: [Color]) {
        self.colors = Self.order(colors).map { colors[$0] }
        sums = self.colors.map(Self.sum)
    }

    /// Computes a palette of at most `count` colors for an image.
    ///
    /// The initial palette from `PaletteSplitter` is improved with `rounds` rounds of k-means. If
    /// `count` is greater than 128, half as many rounds are used.
    init(of histogram: ColorHistogram, count: Int, rounds: Int = 4) {
        self.init(PaletteSplitter.colors(of: histogram, count: count))
        guard colors.count < histogram.points.count else { return }
        var guesses = [UInt8](repeating: 0, count: histogram.points.count)
        guess(&guesses, of: histogram)
        // With more than 128 colors, half as many rounds give an equally good result.
        for _ in 0..<(count > 128 ? rounds / 2 : rounds) { refine(histogram, &guesses) }
    }

    @inline(__always)
    fileprivate static func sum(_ color: Color) -> Float { color.x + color.y + color.z }

    /// Returns the indices of `colors`, sorted by the sum of the channels.
    ///
    /// Colors with equal sums keep their order.
    private static func order(_ colors: [Color]) -> [Int] {
        colors.indices.sorted { (sum(colors[$0]), $0) < (sum(colors[$1]), $1) }
    }

    /// Returns the squared distance between two colors.
    @inline(__always)
    static func distance(_ one: Color, _ other: Color) -> Float {
        let difference = one - other
        return difference.x * difference.x + difference.y * difference.y
            + difference.z * difference.z
    }

    /// A copy of the palette with all color components rounded to whole numbers.
    var rounded: Palette { Palette(colors.map { $0.rounded(.toNearestOrAwayFromZero) }) }

    /// Calls `body` with an object that quickly finds the nearest palette color for many colors.
    ///
    /// The object has direct access to the colors of the palette.
    @inline(__always)
    func withSearch<Result>(_ body: (PaletteSearch) -> Result) -> Result {
        colors.withUnsafeBufferPointer { colors in
            sums.withUnsafeBufferPointer { sums in
                body(PaletteSearch(colors: colors, sums: sums))
            }
        }
    }

    /// Returns the index of the nearest palette color for each color in `histogram.points`.
    func nearest(to histogram: ColorHistogram) -> [UInt8] {
        var found = [UInt8](repeating: 0, count: histogram.points.count)
        guess(&found, of: histogram)
        search(histogram, &found)
        return found
    }

    /// Returns the mean squared distance between a pixel and its palette color.
    ///
    /// `nearest` contains the index of the palette color for each color in `histogram.points`.
    func meanSquaredError(of histogram: ColorHistogram, _ nearest: [UInt8]) -> Float {
        var (sum, count): (Float, Float) = (0, 0)
        for (point, index) in zip(histogram.points, nearest) {
            sum += Self.distance(colors[Int(index)], point) * point.w
            count += point.w
        }
        return sum / max(1, count)
    }

    // MARK: - Searching

    /// Sets the guess for each color of `histogram` to a palette color with about the same sum of
    /// channels.
    private func guess(_ guesses: inout [UInt8], of histogram: ColorHistogram) {
        var ofSum = [UInt8](repeating: 0, count: 766)
        var index = 0
        for sum in ofSum.indices {
            while index + 1 < sums.count, sums[index + 1] <= Float(sum) { index += 1 }
            ofSum[sum] = UInt8(index)
        }
        for (place, point) in histogram.points.enumerated() {
            guesses[place] = ofSum[min(765, Int(Self.sum(point)))]
        }
    }

    private func search(_ histogram: ColorHistogram, _ guesses: inout [UInt8]) {
        withSearch { search in
            guesses.withUnsafeMutableBufferPointer { guesses in
                for (place, point) in histogram.points.enumerated() {
                    guesses[place] = search.nearest(to: point, from: guesses[place])
                }
            }
        }
    }

    // MARK: - Refining

    /// Performs one round of k-means.
    ///
    /// Each palette color becomes the mean of the `histogram` colors that are closest to it.
    private mutating func refine(_ histogram: ColorHistogram, _ guesses: inout [UInt8]) {
        search(histogram, &guesses)
        var sums = [Color](repeating: .zero, count: colors.count)
        for (place, point) in histogram.points.enumerated() {
            var sum = point * point.w
            sum.w = point.w
            sums[Int(guesses[place])] += sum
        }
        var moved = colors
        for (index, sum) in sums.enumerated() where sum.w > 0 {
            moved[index] = sum / sum.w
            moved[index].w = 0
        }
        let order = Self.order(moved)
        var place = [UInt8](repeating: 0, count: order.count)
        for (new, old) in order.enumerated() { place[old] = UInt8(new) }
        colors = order.map { moved[$0] }
        self.sums = colors.map(Self.sum)
        for index in guesses.indices { guesses[index] = place[Int(guesses[index])] }
    }
}

/// Searches a palette for the nearest colors; valid only inside `withSearch`.
struct PaletteSearch {
    let colors: UnsafeBufferPointer<Color>
    fileprivate let sums: UnsafeBufferPointer<Float>

    /// Returns the squared distance between the color at `index` and `color`.
    @inline(__always)
    func distance(of index: UInt8, to color: Color) -> Float {
        Palette.distance(colors[Int(index)], color)
    }

    /// Returns the index of the palette color nearest to `color`.
    ///
    /// The search starts at index `guess` and proceeds in both directions.
    @inline(__always)
    func nearest(to color: Color, from guess: UInt8) -> UInt8 {
        let sum = Palette.sum(color)
        var best = Int(guess)
        var bestDistance = Palette.distance(colors[best], color)
        var (below, above) = (best - 1, best + 1)
        while true {
            var isDone = true
            if below >= 0, (sum - sums[below]) * abs(sum - sums[below]) < 3 * bestDistance {
                let found = Palette.distance(colors[below], color)
                if found < bestDistance { (best, bestDistance) = (below, found) }
                below -= 1
                isDone = false
            }
            if above < colors.count,
                (sums[above] - sum) * abs(sums[above] - sum) < 3 * bestDistance
            {
                let found = Palette.distance(colors[above], color)
                if found < bestDistance { (best, bestDistance) = (above, found) }
                above += 1
                isDone = false
            }
            if isDone { return UInt8(best) }
        }
    }
}
