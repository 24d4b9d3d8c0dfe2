internal import Decoders

/// The palette index of each pixel, in the order in which sixels are written.
///
/// A band consists of six rows. Bands are stored from top to bottom, the columns of a band from
/// left to right, and the pixels of a column from top to bottom.
struct SixelPixels {
    /// The number of rows in a band.
    static let bandHeight = 6
    /// The number of bytes per column: six for the pixels, and two for padding.
    static let stride = 8

    let size: PixelSize
    /// The palette index of each pixel.
    ///
    /// Each column has eight bytes. The first six are used, or fewer in the last band.
    let indices: [UInt8]

    /// Assigns each pixel a color from `palette` that `SixelMapper` chooses.
    ///
    /// `nearest` contains the index of the nearest palette color for each color in
    /// `histogram.points`.
    init(
        _ pixels: PixelBuffer,
        palette: Palette,
        histogram: ColorHistogram,
        nearest: [UInt8],
        byteWeight: Float,
        diffusion: Float = 0
    ) {
        size = pixels.size
        var indices = [UInt8](repeating: 0, count: size.bandCount * size.width * Self.stride)
        indices.withUnsafeMutableBufferPointer { indices in
            guard let indices = indices.baseAddress else { return }
            palette.withSearch { search in
                var mapper = SixelMapper(
                    palette: search,
                    byteWeight: byteWeight,
                    diffusion: diffusion,
                    width: pixels.size.width
                )
                for band in 0..<pixels.size.bandCount {
                    mapper.map(
                        pixels,
                        band: band,
                        histogram: histogram,
                        nearest: nearest,
                        into: indices
                    )
                }
            }
        }
        self.indices = indices
    }
}

extension PixelSize {
    var bandCount: Int { (height + SixelPixels.bandHeight - 1) / SixelPixels.bandHeight }

    /// Returns the number of rows in a band: six, or fewer in the last band.
    func rowCount(ofBand band: Int) -> Int {
        min(SixelPixels.bandHeight, height - band * SixelPixels.bandHeight)
    }
}

extension SixelMapper {
    /// Chooses the colors of a band (up to six rows of pixels).
    fileprivate mutating func map(
        _ pixels: PixelBuffer,
        band: Int,
        histogram: ColorHistogram,
        nearest: [UInt8],
        into indices: UnsafeMutablePointer<UInt8>
    ) {
        let width = pixels.size.width
        let rowCount = pixels.size.rowCount(ofBand: band)
        startBand()
        pixels.bytes.withUnsafeBufferPointer { bytes in
            nearest.withUnsafeBufferPointer { nearest in
                histogram.pointOfBin.withUnsafeBufferPointer { pointOfBin in
                    var before: UnsafeMutablePointer<UInt8>?
                    for x in 0..<width {
                        let column = indices + (band * width + x) * SixelPixels.stride
                        for row in 0..<rowCount {
                            let start = ((band * SixelPixels.bandHeight + row) * width + x) * 4
                            let (red, green, blue) =
                                (bytes[start], bytes[start + 1], bytes[start + 2])
                            let bin = ColorHistogram.bin(red, green, blue)
                            choose(
                                Color(Float(red), Float(green), Float(blue), 0),
                                nearest: nearest[Int(pointOfBin[bin])],
                                row: row,
                                of: rowCount,
                                column,
                                before: before
                            )
                        }
                        before = column
                        endColumn(x, rowCount: rowCount)
                    }
                }
            }
        }
    }
}
