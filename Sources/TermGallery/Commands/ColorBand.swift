/// A band of colours that is smooth where the terminal has 24-bit colour, and in steps where it
/// makes do with the nearest of fewer.
///
/// Pure.
enum ColorBand {
    static let columns = 40

    private static let first: SIMD3<Double> = [16, 24, 64]
    private static let last: SIMD3<Double> = [112, 72, 144]

    /// The colours, from left to right.
    static var colors: [(red: Int, green: Int, blue: Int)] {
        (0..<columns).map { column in
            let part = Double(column) / Double(columns - 1)
            let color = (first + (last - first) * part).rounded(.toNearestOrEven)
            return (Int(color.x), Int(color.y), Int(color.z))
        }
    }

    /// Spaces on these colours, and back to the default.
    static var text: String {
        colors.map { "\u{1B}[48;2;\($0.red);\($0.green);\($0.blue)m " }.joined() + "\u{1B}[0m"
    }
}
