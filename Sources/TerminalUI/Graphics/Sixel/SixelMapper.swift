/// Chooses the colors of an image for sixels, in columns of six pixels.
///
/// Each pixel gets the color with the lowest cost, which is the squared distance between the two
/// colors plus `byteWeight` for each byte that the color adds to the output. A color that is
/// already in the column adds almost nothing. A color from the previous column takes one more
/// character. Any other color must be selected first. If `byteWeight` is 0, each pixel gets the
/// nearest color.
///
/// The fraction `diffusion` of the color error is distributed to the pixels below and to the right
/// (with Floyd and Steinberg's weights). Otherwise, gradients would turn into patches, especially
/// if `byteWeight` is large.
struct SixelMapper: ~Copyable {
    /// The estimated number of bytes for selecting a color and writing its first sixel, and for
    /// each additional sixel.
    private static let selecting: Float = 4
    private static let continuing: Float = 0.8
    /// The number of rows in a column, plus the row below the column.
    private static let rowCount = 7
    private static let binBits: Int32 = 5
    private static let binCount = 1 << (3 * Int(binBits))

    private let palette: PaletteSearch
    private let byteWeight: Float
    private let diffusion: Float
    private let width: Int
    /// The color errors that later pixels must compensate for.
    ///
    /// The buffer contains the errors for the pixels of the current and the next column, followed by
    /// the errors for the first row of the current and the next band (six rows of pixels). Each of
    /// these rows has two more elements than the image has columns.
    private let errors: UnsafeMutablePointer<Color>
    /// The index plus 1 of the palette color nearest to the center of each bin, or 0 if it has not
    /// been determined yet.
    ///
    /// A bin contains the colors with the same five high bits in each channel.
    private let nearestOfBin: UnsafeMutablePointer<UInt16>
    private var (column, nextColumn): (UnsafeMutablePointer<Color>, UnsafeMutablePointer<Color>)
    private var (band, nextBand): (UnsafeMutablePointer<Color>, UnsafeMutablePointer<Color>)

    /// Creates a mapper for `palette`, which must outlive it.
    init(palette: PaletteSearch, byteWeight: Float, diffusion: Float, width: Int) {
        self.palette = palette
        self.byteWeight = byteWeight
        self.diffusion = diffusion
        self.width = width
        let count = 2 * Self.rowCount + 2 * (width + 2)
        errors = .allocate(capacity: count)
        errors.initialize(repeating: .zero, count: count)
        nearestOfBin = .allocate(capacity: Self.binCount)
        nearestOfBin.initialize(repeating: 0, count: Self.binCount)
        column = errors
        nextColumn = column + Self.rowCount
        band = nextColumn + Self.rowCount
        nextBand = band + (width + 2)
    }

    deinit {
        errors.deallocate()
        nearestOfBin.deallocate()
    }

    mutating func startBand() {
        swap(&band, &nextBand)
        nextBand.update(repeating: .zero, count: width + 2)
        column.update(repeating: .zero, count: Self.rowCount)
        column[0] = band[0]
    }

    /// Chooses the color of a pixel in `row` of a column, and stores it in `chosen`.
    ///
    /// `nearest` is the index of the palette color nearest to `color`, without the distributed
    /// errors. `chosen` already contains the colors of the rows above. `before` contains the colors
    /// of the previous column, and is nil in the first column.
    @inline(__always)
    mutating func choose(
        _ color: Color,
        nearest: UInt8,
        row: Int,
        of rowCount: Int,
        _ chosen: UnsafeMutablePointer<UInt8>,
        before: UnsafeMutablePointer<UInt8>?
    ) {
        var (color, best) = (color, nearest)
        if diffusion > 0 {
            let wanted = color + column[row]
            color = Color(
                min(max(wanted.x, 0), 255),
                min(max(wanted.y, 0), 255),
                min(max(wanted.z, 0), 255),
                0
            )
            best = self.nearest(to: color, from: nearest)
        }
        if byteWeight > 0 {
            best = cheapest(
                color,
                nearest: best,
                row: row,
                rowCount: rowCount,
                chosen: chosen,
                before: before
            )
        }
        chosen[row] = best
        guard diffusion > 0 else { return }
        let error = (color - palette.colors[Int(best)]) * diffusion
        column[row + 1] += error * (7 / 16)
        nextColumn[max(0, row - 1)] += error * (3 / 16)
        nextColumn[row] += error * (5 / 16)
        nextColumn[row + 1] += error * (1 / 16)
    }

    /// Returns the index of a palette color that is approximately nearest to `color`.
    ///
    /// The error of the approximation is distributed like any other error.
    @inline(__always)
    private func nearest(to color: Color, from guess: UInt8) -> UInt8 {
        let shift = 8 - Self.binBits
        let (red, green, blue) =
            (Int32(color.x) >> shift, Int32(color.y) >> shift, Int32(color.z) >> shift)
        let bin = Int((red << Self.binBits | green) << Self.binBits | blue)
        let known = nearestOfBin[bin]
        if known > 0 { return UInt8(truncatingIfNeeded: known - 1) }
        let side = Float(Int32(1) << shift)
        let middle = (Color(Float(red), Float(green), Float(blue), 0) + 0.5) * side
        let found = palette.nearest(to: Color(middle.x, middle.y, middle.z, 0), from: guess)
        nearestOfBin[bin] = UInt16(found) + 1
        return found
    }

    @inline(__always)
    private func cheapest(
        _ color: Color,
        nearest: UInt8,
        row: Int,
        rowCount: Int,
        chosen: UnsafeMutablePointer<UInt8>,
        before: UnsafeMutablePointer<UInt8>?
    ) -> UInt8 {
        // If the column already contains the nearest color, no other color takes fewer bytes.
        for place in 0..<row where chosen[place] == nearest { return nearest }
        var best = nearest
        var cost = palette.distance(of: nearest, to: color) + Self.selecting * byteWeight
        if let before {
            for place in 0..<rowCount {
                let found =
                    palette.distance(of: before[place], to: color) + Self.continuing * byteWeight
                if found < cost { (best, cost) = (before[place], found) }
            }
        }
        for place in 0..<row {
            let found = palette.distance(of: chosen[place], to: color)
            if found < cost { (best, cost) = (chosen[place], found) }
        }
        return best
    }

    /// Moves the color errors forward, which makes the column after `x` the current column.
    mutating func endColumn(_ x: Int, rowCount: Int) {
        nextBand[x] += column[rowCount]
        nextBand[x + 1] += nextColumn[rowCount]
        swap(&column, &nextColumn)
        column[rowCount] = .zero
        nextColumn.update(repeating: .zero, count: Self.rowCount)
        column[0] += band[x + 1]
    }
}
