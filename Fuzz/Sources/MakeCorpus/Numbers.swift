/// Returns `value` in `count` bytes, the most significant first.
func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// Returns `value` in `count` bytes, the least significant first.
func littleEndian(_ value: Int, _ count: Int) -> [UInt8] { bigEndian(value, count).reversed() }

/// Returns bytes that look random and are the same each time (a linear congruential generator).
func noise(_ count: Int, seed: Int = 1) -> [UInt8] {
    var state = UInt32(truncatingIfNeeded: seed)
    return (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}
