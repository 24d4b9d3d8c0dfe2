/// A small generator with a fixed sequence for each seed.
///
/// The steps are those of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, 2014).
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

    /// A number in `range`, the upper bound excluded.
    ///
    /// The standard library's `random(in:using:)` doesn't promise the same numbers in its next
    /// version, and pictures have to stay the same.
    mutating func number(in range: Range<Float>) -> Float {
        let unit = Float(next() >> 40) / Float(1 << 24)
        return range.lowerBound + unit * (range.upperBound - range.lowerBound)
    }

    /// An index below `count`.
    mutating func index(below count: Int) -> Int {
        Int(next() % UInt64(max(1, count)))
    }

    /// One of `choices`, which must not be empty.
    mutating func choice<Element>(of choices: [Element]) -> Element {
        choices[index(below: choices.count)]
    }
}
