/// Chooses the colours of a picture for sixels, one column of six pixels after the other.
///
/// Each pixel gets the colour that costs least: its squared distance, and `byteWeight` for each byte
/// that it takes. A colour that the column has already costs next to nothing, one that the column
/// before has goes on in the same stroke, another has to be selected. With a `byteWeight` of 0 each
/// pixel has the nearest colour.
///
/// What a colour is off is handed on to the pixels below and to the right (Floyd and Steinberg's
/// shares), `diffusion` of it: without, slow changes of colour become patches, the more so the dearer
/// the bytes are.
struct SixelMapper {
    /// The bytes it takes to select a colour and write its first sixel, and to write one more.
    private static let selecting: Float = 4
    private static let continuing: Float = 0.8

    private let palette: Palette
    private let byteWeight: Float
    private let diffusion: Float
    /// The colours of the column before, and of this one.
    private var before = SIMD8<UInt8>()
    private var beforeCount = 0
    private var column = SIMD8<UInt8>()
    /// What the pixels of this column, of the next one, and the first row of the next band shall make
    /// up for.
    private var errors: [Color]
    private var nextErrors: [Color]
    private var bandErrors: [Color]
    private var nextBandErrors: [Color]

    init(palette: Palette, byteWeight: Float, diffusion: Float, width: Int) {
        self.palette = palette
        self.byteWeight = byteWeight
        self.diffusion = diffusion
        errors = Array(repeating: .zero, count: 7)
        nextErrors = errors
        bandErrors = Array(repeating: .zero, count: width + 2)
        nextBandErrors = bandErrors
    }

    mutating func startBand() {
        beforeCount = 0
        swap(&bandErrors, &nextBandErrors)
        for index in nextBandErrors.indices { nextBandErrors[index] = .zero }
        for index in errors.indices { errors[index] = .zero }
        errors[0] = bandErrors[0]
    }

    /// The colour for a pixel in `row` of the column, whose nearest one without what is handed on to
    /// it is `nearest`.
    mutating func index(of color: Color, nearest: UInt8, row: Int) -> UInt8 {
        var (color, nearest) = (color, nearest)
        if diffusion > 0 {
            color = (color + errors[row]).clamped(
                lowerBound: .zero,
                upperBound: .init(repeating: 255)
            )
            nearest = palette.nearest(to: color, from: nearest)
        }
        let best = byteWeight > 0 ? cheapest(color, nearest, row) : nearest
        column[row] = best
        if diffusion > 0 { handOn((color - palette.colors[Int(best)]) * diffusion, row) }
        return best
    }

    private func cheapest(_ color: Color, _ nearest: UInt8, _ row: Int) -> UInt8 {
        var best = nearest
        var cost = palette.distance(of: nearest, to: color) + Self.selecting * byteWeight
        for place in 0..<beforeCount {
            consider(before[place], Self.continuing, color, &best, &cost)
        }
        for place in 0..<row { consider(column[place], 0, color, &best, &cost) }
        return best
    }

    @inline(__always)
    private func consider(
        _ index: UInt8,
        _ byteCount: Float,
        _ color: Color,
        _ best: inout UInt8,
        _ cost: inout Float
    ) {
        let found = palette.distance(of: index, to: color) + byteCount * byteWeight
        if found < cost { (best, cost) = (index, found) }
    }

    private mutating func handOn(_ error: Color, _ row: Int) {
        errors[row + 1] += error * (7 / 16)
        nextErrors[max(0, row - 1)] += error * (3 / 16)
        nextErrors[row] += error * (5 / 16)
        nextErrors[row + 1] += error * (1 / 16)
    }

    /// Goes on to the column behind `x`.
    mutating func endColumn(_ x: Int, rowCount: Int) {
        before = column
        beforeCount = rowCount
        nextBandErrors[x] += errors[rowCount]
        nextBandErrors[x + 1] += nextErrors[rowCount]
        swap(&errors, &nextErrors)
        errors[rowCount] = .zero
        for index in nextErrors.indices { nextErrors[index] = .zero }
        errors[0] += bandErrors[x + 1]
    }
}
