/// Paper cutouts: discs, rings and bars in a few matching colors.
enum Shapes {
    private static let palettes: [[UInt32]] = [
        [0xF4F1DE, 0xE07A5F, 0x3D405B, 0x81B29A, 0xF2CC8F],
        [0x264653, 0x2A9D8F, 0xE9C46A, 0xF4A261, 0xE76F51],
        [0x1D3557, 0x457B9D, 0xA8DADC, 0xF1FAEE, 0xE63946],
        [0x2B2D42, 0x8D99AE, 0xEDF2F4, 0xEF233C, 0xFFB703],
        [0x0B3954, 0x087E8B, 0xFF5A5F, 0xC81D25, 0xF7F7F2],
    ]

    static func paint(_ canvas: inout Canvas, random: inout SeededRandom) {
        let palette = random.choice(of: palettes)
        let colors = palette.map(Color.init(hex:))
        let height = Float(canvas.height)
        let (top, bottom) = (colors[0], colors[0].mixed(with: colors[1], 0.45))
        canvas.fill { _, y in top.mixed(with: bottom, Float(y) / height) }
        draw(on: &canvas, colors: Array(colors.dropFirst()), random: &random)
    }

    /// Paints a sticker: the same cutouts inside a rounded shape, with transparent surroundings.
    static func paintSticker(_ canvas: inout Canvas, random: inout SeededRandom) {
        paint(&canvas, random: &random)
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        let border = random.number(in: 0.04..<0.07) * min(width, height)
        // The shape is a superellipse: rounder than a rectangle, and roomier than an ellipse.
        func inset(_ x: Int, _ y: Int) -> Float {
            let across = abs((Float(x) + 0.5) / width * 2 - 1)
            let down = abs((Float(y) + 0.5) / height * 2 - 1)
            let (squareX, squareY) = (across * across, down * down)
            let radius = (squareX * squareX + squareY * squareY).squareRoot().squareRoot()
            return (1 - radius) * min(width, height) / 2
        }
        canvas.blend(Color(1, 1, 1), x: 0..<canvas.width, y: 0..<canvas.height) { x, y in
            1 - smoothStep(border - 1, border + 1, inset(x, y))
        }
        canvas.setAlpha { x, y in smoothStep(-0.5, 1.5, inset(x, y)) }
    }

    private static func draw(
        on canvas: inout Canvas,
        colors: [Color],
        random: inout SeededRandom
    ) {
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        for index in 0..<9 {
            let color = colors[index % colors.count]
            let x = random.number(in: 0.05..<0.95) * width
            let y = random.number(in: 0.05..<0.95) * height
            let size = min(width, height) * random.number(in: 0.1..<0.34)
            switch random.index(below: 3) {
            case 0: canvas.drawDisc(color, x: x, y: y, radius: size, opacity: 0.92)
            case 1: drawRing(on: &canvas, color: color, x: x, y: y, radius: size)
            default: drawBar(on: &canvas, color: color, x: x, y: y, length: size * 2)
            }
        }
    }

    private static func drawRing(
        on canvas: inout Canvas,
        color: Color,
        x: Float,
        y: Float,
        radius: Float
    ) {
        let half = radius * 0.18
        let columns = Int(x - radius * 1.3)..<Int(x + radius * 1.3) + 1
        let rows = Int(y - radius * 1.3)..<Int(y + radius * 1.3) + 1
        canvas.blend(color, x: columns, y: rows) { column, row in
            let (across, down) = (Float(column) - x, Float(row) - y)
            let off = abs((across * across + down * down).squareRoot() - radius)
            return 0.95 * (1 - smoothStep(half - 1, half + 1, off))
        }
    }

    private static func drawBar(
        on canvas: inout Canvas,
        color: Color,
        x: Float,
        y: Float,
        length: Float
    ) {
        let columns = Int(x - length)..<Int(x + length) + 1
        let rows = Int(y - length)..<Int(y + length) + 1
        let half = length * 0.16
        canvas.blend(color, x: columns, y: rows) { column, row in
            let (across, down) = (Float(column) - x, Float(row) - y)
            let along = abs(across + down) * 0.7071
            let off = abs(across - down) * 0.7071
            return 0.92 * (1 - smoothStep(half - 1, half + 1, off))
                * (1 - smoothStep(length * 0.7, length * 0.7 + 2, along))
        }
    }
}
