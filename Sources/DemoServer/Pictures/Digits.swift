/// Decimal digits of 5×7 dots.
enum Digits {
    static let width = 5
    static let height = 7

    /// A row of dots is five bits, the leftmost dot highest.
    private static let rows: [[UInt8]] = [
        [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
        [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
        [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
        [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    ]

    /// Whether `digit` has a dot there; false outside the digit.
    static func hasDot(digit: Int, column: Int, row: Int) -> Bool {
        guard (0...9).contains(digit), (0..<width).contains(column), (0..<height).contains(row)
        else { return false }
        return rows[digit][row] >> UInt8(width - 1 - column) & 1 == 1
    }
}

extension Canvas {
    /// Writes `number` into the lower left corner, on a dark plate so that it reads on anything.
    mutating func draw(number: Int) {
        let digits = String(max(0, number)).compactMap(\.wholeNumberValue)
        let columns = digits.count * (Digits.width + 1) - 1
        let dot = max(1, min(min(width, height) / 38, width / (columns + 6)))
        let left = dot * 2
        let top = height - dot * (Digits.height + 2) - dot
        blend(
            Color(0, 0, 0),
            x: left - dot..<left + (columns + 1) * dot,
            y: top - dot..<top + (Digits.height + 1) * dot
        ) { _, _ in 0.55 }
        for (index, digit) in digits.enumerated() {
            let start = left + index * (Digits.width + 1) * dot
            blend(
                Color(1, 1, 1),
                x: start..<start + Digits.width * dot,
                y: top..<top + Digits.height * dot
            ) { x, y in
                Digits.hasDot(digit: digit, column: (x - start) / dot, row: (y - top) / dot) ? 1 : 0
            }
        }
    }
}
