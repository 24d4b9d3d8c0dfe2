internal import Glibc

/// A symmetric Gaussian window in one dimension, with a standard deviation of 1.5.
struct GaussianWindow {
    /// The weights from the center to the edge; both sides together have a sum of 1.
    private let center: Float
    private let sides: (Float, Float, Float, Float, Float)

    init() {
        let weights = (0...StructuralSimilarity.radius).map { distance in
            exp(-Double(distance * distance) / (2 * 1.5 * 1.5))
        }
        let sum = 2 * weights.reduce(0, +) - weights[0]
        let shares = weights.map { Float($0 / sum) }
        center = shares[0]
        sides = (shares[1], shares[2], shares[3], shares[4], shares[5])
    }

    /// Returns the weighted means around eight adjacent values; `step` is the distance between the
    /// values of a window.
    @inline(__always)
    func mean(around value: UnsafePointer<Float>, step: Int) -> SIMD8<Float> {
        func pair(_ distance: Int) -> SIMD8<Float> {
            Self.vector(value - distance * step) + Self.vector(value + distance * step)
        }
        var sum = Self.vector(value) * center
        sum += pair(1) * sides.0
        sum += pair(2) * sides.1
        sum += pair(3) * sides.2
        sum += pair(4) * sides.3
        sum += pair(5) * sides.4
        return sum
    }

    @inline(__always)
    private static func vector(_ values: UnsafePointer<Float>) -> SIMD8<Float> {
        UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self)
    }
}
