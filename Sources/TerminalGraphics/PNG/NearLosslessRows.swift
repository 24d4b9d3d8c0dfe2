internal import Decoders

/// PNG rows whose samples are not exactly the picture's but at most half a step off, chosen so that
/// they deflate well.
///
/// Each sample is predicted by a filter from what the terminal will have decoded before it, and the
/// difference is rounded to a multiple of the step, as in near-lossless JPEG-LS: the larger the step,
/// the fewer different differences there are. A step of 1 is exact. At the same number of bytes a
/// photograph comes out far nearer to the original than by a palette, without its bands.
struct NearLosslessRows {
    /// The filtered rows, each behind the number of its filter.
    let bytes: [UInt8]
    /// R, G, B as they will be decoded.
    let samples: [UInt8]

    /// Filters all rows of `pixels`, which is not empty.
    init(_ pixels: PixelBuffer, step: Int) {
        let width = pixels.size.width
        var filter = RowFilter(width: width, step: step)
        var rows: [UInt8] = []
        var samples: [UInt8] = []
        rows.reserveCapacity(pixels.size.height * (1 + width * 3))
        samples.reserveCapacity(pixels.size.height * width * 3)
        pixels.bytes.withUnsafeBufferPointer { bytes in
            for row in 0..<pixels.size.height {
                let start = row * width * 4
                filter.add(UnsafeBufferPointer(rebasing: bytes[start..<(start + width * 4)]))
                rows.append(filter.best)
                rows.append(contentsOf: filter.filtered)
                samples.append(contentsOf: filter.decoded)
            }
        }
        bytes = rows
        self.samples = samples
    }
}

/// Filters one row after the other in every way and keeps the way that looks cheapest.
private struct RowFilter {
    /// A row as one of the filters makes it.
    private struct Candidate {
        /// First the filtered samples, then three zeros for the pixel left of the row, then the
        /// samples as they will be decoded.
        var bytes: [UInt8]
        var cost = 0
    }

    /// Sub, Up, Average, Paeth: without a filter photographs are never smaller.
    private static let filters: [UInt8] = [1, 2, 3, 4]

    private let count: Int
    /// The multiple of the step that is nearest to a difference from -255 to 255.
    private let rounded: [Int16]
    /// About how many bits a difference takes, in eighths.
    private let costs: [Int32]
    private var source: [UInt8]
    /// The row above, behind three zeros.
    private var above: [UInt8]
    private var candidates: [Candidate]
    /// The filter of the latest row.
    private(set) var best: UInt8 = 1

    init(width: Int, step: Int) {
        count = width * 3
        source = Array(repeating: 0, count: count)
        above = Array(repeating: 0, count: count + 3)
        let empty = Candidate(bytes: Array(repeating: 0, count: count * 2 + 3))
        candidates = Self.filters.map { _ in empty }
        rounded = (-255...255).map { difference in
            let steps = (difference.magnitude + UInt(step) / 2) / UInt(step)
            return Int16(steps) * Int16(step * difference.signum())
        }
        costs = (0...255).map { byte in
            let level = Int8(truncatingIfNeeded: byte).magnitude / UInt8(min(step, 255))
            // 1 for none, and two more bits for each doubling.
            return Int32(8 + 16 * (UInt8.bitWidth - level.leadingZeroBitCount))
        }
    }

    /// The latest row, filtered.
    var filtered: ArraySlice<UInt8> { candidates[Int(best) - 1].bytes[..<count] }

    /// The latest row, as it will be decoded.
    var decoded: ArraySlice<UInt8> { above.dropFirst(3) }

    /// Takes in a row of R, G, B, A.
    mutating func add(_ pixels: UnsafeBufferPointer<UInt8>) {
        var place = 0
        for start in stride(from: 0, to: pixels.count, by: 4) {
            source[place] = pixels[start]
            source[place + 1] = pixels[start + 1]
            source[place + 2] = pixels[start + 2]
            place += 3
        }
        for filter in Self.filters { apply(filter) }
        best = Self.filters.min { cost(of: $0) < cost(of: $1) } ?? 1
        above.replaceSubrange(0..., with: candidates[Int(best) - 1].bytes[count...])
    }

    private func cost(of filter: UInt8) -> Int { candidates[Int(filter) - 1].cost }

    private mutating func apply(_ filter: UInt8) {
        switch filter {
        case 1: predict(0) { left, _, _ in left }
        case 2: predict(1) { _, above, _ in above }
        case 3: predict(2) { left, above, _ in (left + above) >> 1 }
        default: predict(3, Self.paeth)
        }
    }

    /// Of the three the one nearest to left + above - corner.
    @inline(__always)
    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let toLeft = abs(above - corner)
        let toAbove = abs(left - corner)
        let toCorner = abs(left + above - 2 * corner)
        if toLeft <= toAbove && toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }

    @inline(__always)
    private mutating func predict(_ index: Int, _ prediction: (Int, Int, Int) -> Int) {
        var cost = 0
        let count = count
        candidates[index].bytes.withUnsafeMutableBufferPointer { bytes in
            for place in 0..<count {
                let decoded = count + place
                let predicted = prediction(
                    Int(bytes[decoded]),
                    Int(above[place + 3]),
                    Int(above[place])
                )
                let sample = Int(source[place])
                let value = predicted + Int(rounded[sample - predicted + 255])
                let kept = min(max(0, value), 255)
                let difference = UInt8(truncatingIfNeeded: kept - predicted)
                bytes[place] = difference
                bytes[decoded + 3] = UInt8(kept)
                cost += Int(costs[Int(difference)])
            }
        }
        candidates[index].cost = cost
    }
}
