/// How a source pixel's area is divided among the target pixels that it lies in, which are two at
/// most where a picture is reduced.
struct AreaShare {
    /// The first of them.
    let target: Int
    /// The part of the first one's area that the source pixel is.
    let first: Double
    /// The part of the next one's.
    let second: Double

    /// One for each of `count` pixels that become `targetCount`.
    static func all(from count: Int, to targetCount: Int) -> [AreaShare] {
        let size = Double(targetCount) / Double(count)
        return (0..<count).map { index in
            // In whole numbers, so that an edge that falls on a pixel's edge does so exactly.
            let target = index * targetCount / count
            let overhang = (index + 1) * targetCount - (target + 1) * count
            let second = max(0, Double(overhang) / Double(count))
            return AreaShare(target: target, first: size - second, second: second)
        }
    }
}
