/// Land and sea from above: fractal heights, coloured by height and lit from the north-west.
enum Island {
    private static let palettes: [[UInt32]] = [
        [0x08244A, 0x0F4C81, 0x2A8FBD, 0xE7D8A1, 0x6FA04B, 0x2F6B3A, 0x7D6B55, 0xF7F7F5],
        [0x1B0F2E, 0x3C2A63, 0x5F5AA2, 0xC9B79C, 0x8C6A4F, 0x5B4636, 0x9A8F86, 0xF4EFE8],
        [0x06302F, 0x0E6E6A, 0x3FB8A5, 0xF3E2B3, 0xD9A05B, 0xB5633B, 0x7A3B2A, 0xF2D6B3],
    ]

    static func paint(_ canvas: inout Canvas, random: inout SeededRandom) {
        let (width, height) = (canvas.width, canvas.height)
        let field = NoiseField(
            width: width,
            height: height,
            shape: .init(cells: 3.2, octaves: 7, gain: 0.52),
            random: &random
        )
        let gradient = Gradient(random.choice(of: palettes))
        let sea = Float(0.43)
        let relief = Float(max(width, height)) / 60
        canvas.fill { x, y in
            let level = field.value(x: x, y: y)
            let color = gradient.color(at: (level - 0.06) * 1.05)
            guard level > sea, x > 0, y > 0 else {
                return color.scaled(by: 0.9 + level * 0.2)
            }
            let slope = level * 2 - field.value(x: x - 1, y: y) - field.value(x: x, y: y - 1)
            return color.scaled(by: max(0.45, min(1.5, 1 + slope * relief)))
        }
    }
}
