internal import Decoders

/// The buffers for one tile of two images.
///
/// The channels of a pixel are adjacent, so a channel of the next pixel is three values away. The
/// buffers take 300 kB, which fit into the second-level cache.
final class SimilarityTile {
    /// The maximum number of windows in a row.
    static let width = 128
    /// The maximum number of rows of windows.
    static let height = 32

    private static let channels = 3
    private static let radius = StructuralSimilarity.radius
    /// The number of values per row: a multiple of the vector size, with room for one more vector.
    private static let stride = ((width + 2 * radius) * channels / 8 + 2) * 8
    private static let planeCount = stride * (height + 2 * radius)
    /// The middle of the range of values.
    ///
    /// It is subtracted from all values, because the variance is the difference of two means of
    /// squares, and smaller squares lose fewer digits.
    private static let middle: Float = 127.5
    /// (K₁ · 255)², which keeps the quotient of the means defined in black parts.
    private static let c1: Float = 6.5025
    /// (K₂ · 255)², which keeps the quotient of the variances defined in parts of one color.
    private static let c2: Float = 58.5225

    private let planes = Planes(count: planeCount)
    private let rows = Planes(count: stride)
    private let window = GaussianWindow()

    /// Four values for each channel of each pixel.
    private struct Planes {
        let first: UnsafeMutablePointer<Float>
        let second: UnsafeMutablePointer<Float>
        /// The sums of the squares of both images.
        let squares: UnsafeMutablePointer<Float>
        let products: UnsafeMutablePointer<Float>

        /// Allocates zeros.
        init(count: Int) {
            func zeros() -> UnsafeMutablePointer<Float> {
                let values = UnsafeMutablePointer<Float>.allocate(capacity: count)
                values.initialize(repeating: 0, count: count)
                return values
            }
            (first, second, squares, products) = (zeros(), zeros(), zeros(), zeros())
        }

        var all: [UnsafeMutablePointer<Float>] { [first, second, squares, products] }

        func deallocate() {
            for values in all { values.deallocate() }
        }
    }

    deinit {
        planes.deallocate()
        rows.deallocate()
    }

    /// Returns the sum of the similarities of all windows in an area.
    ///
    /// The similarity of a window is the mean of its channels, and 1 in an area of equal pixels.
    func meanSum(_ pair: PixelPair, in area: PixelRect) -> Double {
        let (columns, rows) = (area.width - 2 * Self.radius, area.height - 2 * Self.radius)
        let indices = pair.rows(of: area)
        if indices.allSatisfy(pair.isEqual) { return Double(columns * rows) }
        for (row, indices) in indices.enumerated() { load(pair, indices, row: row) }
        var sum = 0.0
        for row in 0..<rows {
            averageColumns(row: row, count: area.width * Self.channels)
            sum += similaritySum(count: columns * Self.channels)
        }
        return sum / Double(Self.channels)
    }

    /// Fills a row of the planes.
    private func load(_ pair: PixelPair, _ indices: Range<Int>, row: Int) {
        var target = row * Self.stride
        for index in indices {
            let (one, other) = (pair.first[index], pair.second[index])
            store(OpaqueColor(onWhite: one), OpaqueColor(onWhite: other), at: target)
            target += Self.channels
        }
    }

    @inline(__always)
    private func store(_ one: OpaqueColor, _ other: OpaqueColor, at index: Int) {
        for channel in 0..<Self.channels {
            let first = Float(one[channel]) - Self.middle
            let second = Float(other[channel]) - Self.middle
            planes.first[index + channel] = first
            planes.second[index + channel] = second
            planes.squares[index + channel] = first * first + second * second
            planes.products[index + channel] = first * second
        }
    }

    /// Fills `rows` with the weighted means of the columns of a row of windows.
    private func averageColumns(row: Int, count: Int) {
        let center = (row + Self.radius) * Self.stride
        for (plane, means) in zip(planes.all, rows.all) {
            for index in Swift.stride(from: 0, to: count, by: 8) {
                let mean = window.mean(around: plane + center + index, step: Self.stride)
                UnsafeMutableRawPointer(means + index).storeBytes(of: mean, as: SIMD8<Float>.self)
            }
        }
    }

    /// Returns the sum of the similarities of all channels of a row of windows.
    private func similaritySum(count: Int) -> Double {
        var sum = SIMD8<Float>.zero
        for index in Swift.stride(from: 0, to: count, by: 8) {
            var values = similarities(at: Self.radius * Self.channels + index)
            for lane in Swift.stride(from: count - index, to: 8, by: 1) { values[lane] = 0 }
            sum += values
        }
        return Double(sum.sum())
    }

    /// Returns the similarities of the windows around eight values of the rows.
    @inline(__always)
    private func similarities(at index: Int) -> SIMD8<Float> {
        let first = window.mean(around: rows.first + index, step: Self.channels)
        let second = window.mean(around: rows.second + index, step: Self.channels)
        let squares = window.mean(around: rows.squares + index, step: Self.channels)
        let products = window.mean(around: rows.products + index, step: Self.channels)
        let variances = squares - first * first - second * second
        let covariance = products - first * second
        let (one, other) = (first + Self.middle, second + Self.middle)
        let both: SIMD8<Float> = one * other
        let power: SIMD8<Float> = one * one + other * other
        let light = (both + both + Self.c1) / (power + Self.c1)
        return light * (covariance + covariance + Self.c2) / (variances + Self.c2)
    }
}
