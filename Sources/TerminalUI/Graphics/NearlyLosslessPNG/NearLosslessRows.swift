internal import Decoders

/// PNG rows that differ slightly from the image to make deflate compress them well.
///
/// Each sample differs by at most half a step. A filter predicts each sample from the earlier
/// samples as decoded by the terminal. The difference from the prediction is rounded to a multiple
/// of the step, as in near-lossless JPEG-LS. The larger the step, the fewer distinct differences
/// occur. A step of 1 is exact. For the same number of bytes, a photograph is far closer to the
/// original than with a palette, and has no color bands.
struct NearLosslessRows {
    /// The filtered rows, each preceded by the number of its filter.
    let bytes: [UInt8]
    /// The red, green and blue samples that the terminal will decode for each pixel.
    let samples: [UInt8]

    /// Filters all rows of `pixels`, which must not be empty.
    ///
    /// `filters` contains the filter of each row.
    init(_ pixels: PixelBuffer, _ filters: RowFilters, step: Int) {
        let (width, height) = (pixels.size.width, pixels.size.height)
        let rounding = Rounding(step: step)
        // Each row is preceded by three zeros, and the first row is preceded by a row of zeros.
        var decoded = [UInt8](repeating: 0, count: (width * 3 + 3) * (height + 1))
        var rows = [UInt8](repeating: 0, count: (width * 3 + 1) * height)
        pixels.bytes.withUnsafeBufferPointer { source in
            decoded.withUnsafeMutableBufferPointer { decoded in
                rows.withUnsafeMutableBufferPointer { rows in
                    for row in 0..<height {
                        let filter = filters.ofRow[row]
                        rows[row * (width * 3 + 1)] = filter
                        let place = Row(
                            source: row * width * 4,
                            above: row * (width * 3 + 3),
                            decoded: (row + 1) * (width * 3 + 3),
                            filtered: row * (width * 3 + 1) + 1,
                            width: width
                        )
                        switch filter {
                        case 1:
                            rounding.filter(
                                place,
                                source: source,
                                decoded: decoded,
                                rows: rows,
                                prediction: RowPrediction.left
                            )
                        case 2:
                            rounding.filter(
                                place,
                                source: source,
                                decoded: decoded,
                                rows: rows,
                                prediction: RowPrediction.above
                            )
                        case 3:
                            rounding.filter(
                                place,
                                source: source,
                                decoded: decoded,
                                rows: rows,
                                prediction: RowPrediction.average
                            )
                        default:
                            rounding.filter(
                                place,
                                source: source,
                                decoded: decoded,
                                rows: rows,
                                prediction: RowPrediction.paeth
                            )
                        }
                    }
                }
            }
        }
        bytes = rows
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * 3)
        for row in 1...height {
            samples += decoded[(row * (width * 3 + 3) + 3)...].prefix(width * 3)
        }
        self.samples = samples
    }
}

/// The indices at which a row starts in the buffers of source bytes, decoded samples and filtered
/// rows.
private struct Row {
    let source: Int
    /// The indices of the decoded row above and the current decoded row.
    ///
    /// Each decoded row is preceded by three zeros, and the indices point to these zeros.
    let above: Int
    let decoded: Int
    let filtered: Int
    /// The width of the row in pixels.
    let width: Int
}

/// A table that rounds a difference to the nearest multiple of a step.
private struct Rounding {
    /// The nearest multiple of the step for each difference from -255 to 255.
    private let multiples: [Int16]

    init(step: Int) {
        multiples = (-255...255).map { difference in
            let steps = (difference.magnitude + UInt(step) / 2) / UInt(step)
            return Int16(steps) * Int16(step * difference.signum())
        }
    }

    @inline(__always)
    func filter(
        _ row: Row,
        source: UnsafeBufferPointer<UInt8>,
        decoded: UnsafeMutableBufferPointer<UInt8>,
        rows: UnsafeMutableBufferPointer<UInt8>,
        prediction: (_ left: Int, _ above: Int, _ corner: Int) -> Int
    ) {
        multiples.withUnsafeBufferPointer { multiples in
            for pixel in 0..<row.width {
                for channel in 0..<3 {
                    let place = pixel * 3 + channel
                    let predicted = prediction(
                        Int(decoded[row.decoded + place]),
                        Int(decoded[row.above + place + 3]),
                        Int(decoded[row.above + place])
                    )
                    let sample = Int(source[row.source + pixel * 4 + channel])
                    let value = predicted + Int(multiples[sample - predicted + 255])
                    let kept = min(max(0, value), 255)
                    rows[row.filtered + place] = UInt8(truncatingIfNeeded: kept - predicted)
                    decoded[row.decoded + place + 3] = UInt8(kept)
                }
            }
        }
    }
}
