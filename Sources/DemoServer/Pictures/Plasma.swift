import Glibc

/// Waves laid over each other, the effect of old demos.
enum Plasma {
    private static let palettes: [[UInt32]] = [
        [0x12002F, 0x7B2FF7, 0xF107A3, 0xFFB86B], [0x00223E, 0x1FA2FF, 0x12D8FA, 0xA6FFCB],
        [0x3A1C71, 0xD76D77, 0xFFAF7B], [0x0B486B, 0x3B8686, 0xF5F2C8, 0xF56217],
        [0x1D2B64, 0xF8CDDA, 0x355C7D], [0x093028, 0x237A57, 0xE8F5A2],
    ]

    static func paint(_ canvas: inout Canvas, random: inout SeededRandom) {
        let gradient = Gradient(random.choice(of: palettes), cyclic: true)
        let scale = 6 / Float(max(canvas.width, canvas.height))
        let phases = (0..<6).map { _ in random.number(in: 0..<6.28) }
        let speeds = (0..<4).map { _ in random.number(in: 0.6..<1.9) }
        // Waves along the axes cost a table, not a sine a pixel.
        let across = (0..<canvas.width).map { sinf(Float($0) * scale * speeds[0] + phases[0]) }
        let down = (0..<canvas.height).map { sinf(Float($0) * scale * speeds[1] + phases[1]) }
        canvas.fill { x, y in
            let (atX, atY) = (Float(x) * scale, Float(y) * scale)
            let bentX = atX + down[y] * 1.2 - 3
            let bentY = atY + across[x] * 1.2 - 2.2
            let ring = sinf((bentX * bentX + bentY * bentY).squareRoot() * speeds[2] + phases[2])
            let slant = sinf((bentX + bentY * 0.7) * speeds[3] + phases[3])
            let sum = across[x] + down[y] + ring + slant
            return gradient.color(cycling: sum * 0.14 + phases[4] / 6.28)
        }
    }
}
