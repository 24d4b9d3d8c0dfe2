internal import Decoders

/// The colour of each pixel, in the order in which sixels are written: bands of six rows, in them
/// columns from left to right, in a column from top to bottom.
struct SixelPixels {
    /// The places a column takes: six pixels, and two to make them eight.
    static let stride = 8

    let size: PixelSize
    /// Eight bytes a column, of which the first six count, in the last band fewer.
    private(set) var indices: [UInt8]

    /// The bands.
    var bandCount: Int { (size.height + 5) / 6 }

    /// The rows of a band: six, but for the last.
    func rowCount(ofBand band: Int) -> Int { min(6, size.height - band * 6) }

    /// Gives each pixel the colour that costs least: its distance from the pixel, and `byteWeight`
    /// for each byte that it takes.
    ///
    /// A colour that the column has already costs next to nothing, one that the column before has
    /// goes on in the same run of sixels, another has to be selected. With a `byteWeight` of 0 each
    /// pixel has the nearest colour. `nearest` is that of each point of `histogram`.
    init(
        _ pixels: PixelBuffer,
        palette: Palette,
        histogram: ColorHistogram,
        nearest: [UInt8],
        byteWeight: Float
    ) {
        size = pixels.size
        indices = Array(
            repeating: 0,
            count: (pixels.size.height + 5) / 6 * pixels.size.width * Self.stride
        )
        let width = size.width
        let count = (0..<bandCount).map(rowCount)
        pixels.bytes.withUnsafeBufferPointer { bytes in
            indices.withUnsafeMutableBufferPointer { indices in
                for band in count.indices {
                    var mapper = ColumnMapper(palette: palette, byteWeight: byteWeight)
                    for x in 0..<width {
                        let column = (band * width + x) * Self.stride
                        for row in 0..<count[band] {
                            let start = ((band * 6 + row) * width + x) * 4
                            let (red, green, blue) =
                                (bytes[start], bytes[start + 1], bytes[start + 2])
                            let bin = ColorHistogram.bin(red, green, blue)
                            let guess = nearest[Int(histogram.pointOfBin[bin])]
                            let color = Color(Float(red), Float(green), Float(blue), 0)
                            indices[column + row] = mapper.index(
                                of: color,
                                nearest: guess,
                                row: row
                            )
                        }
                        mapper.endColumn(rowCount: count[band])
                    }
                }
            }
        }
    }
}

/// Chooses the colours of one column after the other of a band.
private struct ColumnMapper {
    /// The bytes it takes to select a colour and write its first sixel, and to write one more.
    private static let selecting: Float = 4
    private static let continuing: Float = 0.8

    private let palette: Palette
    private let byteWeight: Float
    private var before = SIMD8<UInt8>()
    private var beforeCount = 0
    private var column = SIMD8<UInt8>()

    init(palette: Palette, byteWeight: Float) {
        self.palette = palette
        self.byteWeight = byteWeight
    }

    mutating func index(of color: Color, nearest: UInt8, row: Int) -> UInt8 {
        guard byteWeight > 0 else { return nearest }
        var best = nearest
        var cost = palette.distance(of: nearest, to: color) + Self.selecting * byteWeight
        for place in 0..<beforeCount {
            consider(before[place], Self.continuing, color, &best, &cost)
        }
        for place in 0..<row { consider(column[place], 0, color, &best, &cost) }
        column[row] = best
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

    mutating func endColumn(rowCount: Int) {
        before = column
        beforeCount = rowCount
    }
}
