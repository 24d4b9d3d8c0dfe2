/// The division of the area of a source pixel among the target pixels that it overlaps, which are
/// at most two if an image is reduced.
struct AreaShare {
    /// The first of these target pixels.
    let target: Int
    /// The share of the first target pixel's area that the source pixel covers.
    let first: Double
    /// The share of the next target pixel's area.
    let second: Double

    /// Returns the shares of `count` pixels that become `targetCount`.
    static func all(from count: Int, to targetCount: Int) -> [AreaShare] {
        let size = Double(targetCount) / Double(count)
        return (0..<count).map { index in
            // Computed in integers, so that an edge that coincides with the edge of a pixel does so
            // exactly.
            let target = index * targetCount / count
            let overhang = (index + 1) * targetCount - (target + 1) * count
            let second = max(0, Double(overhang) / Double(count))
            return AreaShare(target: target, first: size - second, second: second)
        }
    }
}
