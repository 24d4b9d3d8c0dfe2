/// Fractal value noise over an entire image, with the 1/f statistics of photographs.
///
/// Each octave has twice the detail of the previous octave and `gain` times its weight. The field
/// is filled octave by octave and row by row instead of point by point. The vertical interpolation
/// is done only once per row, so a pixel costs two loads and a multiplication per octave.
struct NoiseField {
    let width: Int
    /// The noise values, row by row; each value is from 0 to 1.
    let values: [Float]

    struct Shape {
        /// The number of lattice cells along the longer side in the first octave.
        var cells: Float
        var octaves: Int
        var gain: Float = 0.5
    }

    init(width: Int, height: Int, shape: Shape, random: inout SeededRandom) {
        self.width = width
        var sums = [Float](repeating: 0, count: width * height)
        var weight: Float = 1
        var total: Float = 0
        var cells = shape.cells
        for _ in 0..<shape.octaves {
            let step = cells / Float(max(width, height))
            let octave = Lattice(seed: random.next(), step: step, width: width)
            sums.withUnsafeMutableBufferPointer { buffer in
                for y in 0..<height {
                    octave.add(row: y, weight: weight, to: buffer, at: y * width)
                }
            }
            total += weight
            weight *= shape.gain
            cells *= 2
        }
        // Sums of octaves cluster around the middle, so they are stretched to use the whole range.
        let scale = 1.6 / total
        values = sums.map { max(0, min(1, ($0 - total / 2) * scale + 0.5)) }
    }

    func value(x: Int, y: Int) -> Float {
        values[y * width + x]
    }
}

/// One octave of noise, interpolated smoothly between random values at the points of a lattice.
private struct Lattice {
    let seed: UInt64
    let step: Float
    let width: Int
    let columns: [Int]
    let weights: [Float]

    init(seed: UInt64, step: Float, width: Int) {
        self.seed = seed
        self.step = step
        self.width = width
        let positions = (0..<width).map { Float($0) * step }
        columns = positions.map { Int($0) }
        weights = positions.map { smoothStep(0, 1, $0 - $0.rounded(.down)) }
    }

    func add(row y: Int, weight: Float, to sums: UnsafeMutableBufferPointer<Float>, at start: Int) {
        let position = Float(y) * step
        let top = Int(position)
        let down = smoothStep(0, 1, position - Float(top))
        let line = (0...(columns.last ?? 0) + 1).map { column in
            let upper = corner(column, top)
            return (upper + (corner(column, top + 1) - upper) * down) * weight
        }
        line.withUnsafeBufferPointer { line in
            weights.withUnsafeBufferPointer { weights in
                columns.withUnsafeBufferPointer { columns in
                    for x in 0..<width {
                        let left = line[columns[x]]
                        sums[start + x] += left + (line[columns[x] + 1] - left) * weights[x]
                    }
                }
            }
        }
    }

    private func corner(_ column: Int, _ row: Int) -> Float {
        var mixed = seed &+ UInt64(truncatingIfNeeded: column) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 29)) &+ UInt64(truncatingIfNeeded: row) &* 0xD6E8_FEB8_6659_FD93
        mixed = (mixed ^ (mixed >> 32)) &* 0xBF58_476D_1CE4_E5B9
        return Float(mixed >> 40) / Float(1 << 24)
    }
}

/// A small random number generator with a fixed sequence for each seed.
///
/// It implements SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a random number in `range`, excluding the upper bound.
    ///
    /// The standard library's `random(in:using:)` is not used, because a later version may return
    /// different numbers, and images must not change.
    mutating func number(in range: Range<Float>) -> Float {
        let unit = Float(next() >> 40) / Float(1 << 24)
        return range.lowerBound + unit * (range.upperBound - range.lowerBound)
    }

    /// Returns a random index below `count`.
    mutating func index(below count: Int) -> Int {
        Int(next() % UInt64(max(1, count)))
    }

    /// Returns a random element of `choices`, which must not be empty.
    mutating func choice<Element>(of choices: [Element]) -> Element {
        choices[index(below: choices.count)]
    }
}
