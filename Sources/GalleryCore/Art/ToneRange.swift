/// The range of brightness that a picture uses.
struct ToneRange {
    private let low: Int
    private let high: Int

    /// Leaves brightness as it is.
    static let full = ToneRange(low: 0, high: 255)

    private init(low: Int, high: Int) {
        self.low = low
        self.high = high
    }

    /// The range without the darkest and the brightest 2 %; at least a quarter of the scale wide,
    /// so that a plain surface doesn't become noise.
    init(of plane: PixelPlane) {
        var counts = Array(repeating: 0, count: 256)
        for color in plane.colors { counts[RGB(color).luma] += 1 }
        let ignored = plane.colors.count / 50
        let low = Self.first(0..<256, where: ignored, counts)
        let high = Self.first((0..<256).reversed(), where: ignored, counts)
        let missing = max(0, 64 - (high - low))
        self.init(low: max(0, low - missing / 2), high: min(255, high + (missing + 1) / 2))
    }

    /// A brightness spread over the whole scale.
    func stretched(_ luma: Int) -> Int {
        max(0, min(255, (luma - low) * 255 / max(1, high - low)))
    }

    private static func first(
        _ levels: some Sequence<Int>,
        where ignored: Int,
        _ counts: [Int]
    ) -> Int {
        var seen = 0
        for level in levels {
            seen += counts[level]
            if seen > ignored { return level }
        }
        return 0
    }
}
