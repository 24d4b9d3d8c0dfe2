internal import Decoders
internal import Glibc

/// The PNG filter of each row of an image, and an estimate of the compressed size.
///
/// Both are computed from the original image, before a step rounds the samples, so a single pass
/// over the image is enough for all steps.
struct RowFilters {
    /// The filter number of each row: 1 (Sub), 2 (Up), 3 (Average) or 4 (Paeth).
    ///
    /// Filter 0 (None) is not used because it never makes photographs smaller.
    let ofRow: [UInt8]
    /// The number of occurrences of each difference from the prediction, modulo 256.
    private let counts: [Int]

    /// Selects a filter for every row of `pixels`, which must not be empty; alpha is ignored.
    init(_ pixels: PixelBuffer) {
        var judge = RowJudge(width: pixels.size.width)
        var filters: [UInt8] = []
        filters.reserveCapacity(pixels.size.height)
        pixels.bytes.withUnsafeBytes { bytes in
            let rowByteCount = pixels.size.width * 4
            for row in 0..<pixels.size.height {
                let start = row * rowByteCount
                filters.append(
                    judge.best(
                        UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(rowByteCount))
                    )
                )
            }
        }
        ofRow = filters
        counts = judge.counts
    }

    /// Returns the approximate compressed size in bytes if differences are rounded to multiples of
    /// `step`.
    ///
    /// The estimate is the sum of the information content of each difference, which is the
    /// logarithm of its rarity (Shannon). If most differences are 0, a 0 in a run takes less than
    /// the one bit of a Huffman code, but more than its information content. The minimum of 0.4
    /// bits is typical of photographs.
    func expectedByteCount(step: Int) -> Double {
        var rounded = [Int](repeating: 0, count: 256)
        for (difference, count) in counts.enumerated() {
            let signed = Int(Int8(truncatingIfNeeded: difference))
            let steps = (Int(signed.magnitude) + step / 2) / step * signed.signum()
            rounded[steps & 0xFF] += count
        }
        let total = Double(rounded.reduce(0, +))
        let bits = rounded.filter { $0 > 0 }.reduce(0.0) { sum, count in
            sum + Double(count) * max(0.4, log2(total / Double(count)))
        }
        return bits / 8
    }
}

/// Applies all filters to each row and selects the best one.
private struct RowJudge {
    private static let filterCount = 4

    private let byteCount: Int
    /// The samples of the current row and the row above; each row is preceded by a pixel of zeros.
    private var row: [UInt8]
    private var above: [UInt8]
    /// The differences that each filter produces for the current row.
    private var filtered: [[UInt8]]
    /// The number of times each difference has occurred in the filtered rows.
    ///
    /// Each row is filtered with its best filter.
    private(set) var counts = [Int](repeating: 0, count: 256)

    init(width: Int) {
        byteCount = width * 3
        row = Array(repeating: 0, count: byteCount + 3)
        above = row
        filtered = Array(
            repeating: Array(repeating: 0, count: byteCount),
            count: Self.filterCount
        )
    }

    /// Returns the number of the filter with the lowest cost for the next row.
    ///
    /// `pixels` contains the row as RGBA samples.
    mutating func best(_ pixels: UnsafeRawBufferPointer) -> UInt8 {
        swap(&row, &above)
        var place = 3
        for start in stride(from: 0, to: pixels.count, by: 4) {
            row[place] = pixels[start]
            row[place + 1] = pixels[start + 1]
            row[place + 2] = pixels[start + 2]
            place += 3
        }
        let costs = [
            cost(0, RowPrediction.left), cost(1, RowPrediction.above),
            cost(2, RowPrediction.average), cost(3, RowPrediction.paeth),
        ]
        var best = 0
        for filter in costs.indices where costs[filter] < costs[best] { best = filter }
        for difference in filtered[best] { counts[Int(difference)] += 1 }
        return UInt8(best + 1)
    }

    /// Filters the row, and returns its approximate size in bits.
    ///
    /// The size of a difference increases by one bit each time the difference doubles. There are no
    /// branches or tables, so the compiler can vectorize the loop.
    @inline(__always)
    private mutating func cost(
        _ filter: Int,
        _ prediction: (_ left: Int16, _ above: Int16, _ corner: Int16) -> Int16
    ) -> Int {
        row.withUnsafeBufferPointer { row in
            above.withUnsafeBufferPointer { above in
                filtered[filter].withUnsafeMutableBufferPointer { filtered in
                    guard let row = row.baseAddress, let above = above.baseAddress,
                        let filtered = filtered.baseAddress
                    else { return 0 }
                    var sum: Int32 = 0
                    for place in 0..<byteCount {
                        let predicted = prediction(
                            Int16(row[place]),
                            Int16(above[place &+ 3]),
                            Int16(above[place])
                        )
                        let difference = Int16(row[place &+ 3]) &- predicted
                        filtered[place] = UInt8(truncatingIfNeeded: difference)
                        let magnitude = max(difference, 0 &- difference)
                        var bits: Int16 = magnitude >= 2 ? 1 : 0
                        bits &+= magnitude >= 4 ? 1 : 0
                        bits &+= magnitude >= 8 ? 1 : 0
                        bits &+= magnitude >= 16 ? 1 : 0
                        bits &+= magnitude >= 32 ? 1 : 0
                        bits &+= magnitude >= 64 ? 1 : 0
                        sum &+= Int32(bits)
                    }
                    return Int(sum)
                }
            }
        }
    }
}
