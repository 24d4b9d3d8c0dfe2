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

    /// Gives each pixel a colour of `palette`, as `SixelMapper` chooses it.
    ///
    /// `nearest` is the nearest colour of each point of `histogram`.
    init(
        _ pixels: PixelBuffer,
        palette: Palette,
        histogram: ColorHistogram,
        nearest: [UInt8],
        byteWeight: Float,
        diffusion: Float = 0
    ) {
        size = pixels.size
        let bandCount = (size.height + 5) / 6
        indices = Array(repeating: 0, count: bandCount * size.width * Self.stride)
        var mapper = SixelMapper(
            palette: palette,
            byteWeight: byteWeight,
            diffusion: diffusion,
            width: size.width
        )
        let width = size.width
        pixels.bytes.withUnsafeBufferPointer { bytes in
            indices.withUnsafeMutableBufferPointer { indices in
                for band in 0..<bandCount {
                    let rowCount = min(6, pixels.size.height - band * 6)
                    mapper.startBand()
                    for x in 0..<width {
                        let column = (band * width + x) * Self.stride
                        for row in 0..<rowCount {
                            let start = ((band * 6 + row) * width + x) * 4
                            let (red, green, blue) =
                                (bytes[start], bytes[start + 1], bytes[start + 2])
                            let bin = ColorHistogram.bin(red, green, blue)
                            indices[column + row] = mapper.index(
                                of: Color(Float(red), Float(green), Float(blue), 0),
                                nearest: nearest[Int(histogram.pointOfBin[bin])],
                                row: row
                            )
                        }
                        mapper.endColumn(x, rowCount: rowCount)
                    }
                }
            }
        }
    }
}
