/// An out-of-focus photograph taken at night: lights as discs on a dark background with grain and a
/// vignette.
enum NightLights {
    private static let grounds: [[UInt32]] = [
        [0x0A0F24, 0x1F2A52, 0x40305E], [0x140A1E, 0x3A1B3F, 0x6B2E3E],
        [0x04141A, 0x0D3440, 0x24545A], [0x120C08, 0x3A2414, 0x5B3A1E],
    ]
    private static let lights: [[UInt32]] = [
        [0xFFD27A, 0xFF9E4A, 0xFFF1C9, 0xFF6B4A], [0x7AD7FF, 0xB59CFF, 0xFFFFFF, 0xFF8AD8],
        [0xFFE08A, 0x8AFFC7, 0x6BB8FF, 0xFF7A7A],
    ]

    static func paint(_ canvas: inout Canvas, random: inout SeededRandom) {
        let ground = Gradient(random.choice(of: grounds))
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        let field = NoiseField(
            width: canvas.width,
            height: canvas.height,
            shape: .init(cells: 2, octaves: 8, gain: 0.55),
            random: &random
        )
        canvas.fill { x, y in
            let (across, down) = (Float(x) / width - 0.5, Float(y) / height - 0.5)
            let vignette = 1.1 - (across * across + down * down) * 1.5
            return ground.color(at: field.value(x: x, y: y)).scaled(by: vignette)
        }
        let colors = random.choice(of: lights).map(Color.init(hex:))
        for _ in 0..<random.index(below: 14) + 22 {
            let light = random.choice(of: colors)
            let radius = min(width, height) * random.number(in: 0.03..<0.12)
            let x = random.number(in: 0..<width)
            let y = height * 0.55 + random.number(in: -0.45..<0.45) * height
            canvas.drawDisc(light, x: x, y: y, radius: radius, opacity: 0.55, rim: 0.35)
        }
    }
}

extension Canvas {
    /// Draws a disc with soft edges.
    ///
    /// If `rim` is not 0, the disc is brighter toward its edge, like an out-of-focus light in a
    /// photograph.
    mutating func drawDisc(
        _ color: Color,
        x: Float,
        y: Float,
        radius: Float,
        opacity: Float,
        rim: Float = 0
    ) {
        let columns = Int(x - radius - 1)..<Int(x + radius + 2)
        let rows = Int(y - radius - 1)..<Int(y + radius + 2)
        blend(color, x: columns, y: rows) { column, row in
            let (across, down) = (Float(column) - x, Float(row) - y)
            let distance = (across * across + down * down).squareRoot()
            guard distance < radius + 1 else { return 0 }
            let edge = 1 - smoothStep(radius - 1.5, radius + 1, distance)
            return edge * (opacity * (1 - rim) + opacity * rim * (distance / radius))
        }
    }
}
