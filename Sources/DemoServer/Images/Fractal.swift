import Glibc

/// Mandelbrot and Julia sets.
///
/// The color of a point depends on the number of iterations after which the point escapes. The
/// number includes a fraction, so the colors change smoothly.
enum Fractal {
    /// The visible part of the complex plane.
    private struct View {
        let x: Double
        let y: Double
        let span: Double
    }

    private static let places = [
        View(x: -0.7436, y: 0.1318, span: 0.012), View(x: -0.75, y: 0.1, span: 0.12),
        View(x: 0.282, y: 0.0085, span: 0.03), View(x: -1.2495, y: 0.0285, span: 0.03),
        View(x: -0.1011, y: 0.9563, span: 0.05), View(x: -0.6, y: 0, span: 2.9),
        View(x: 0.3602, y: 0.6413, span: 0.02), View(x: -1.768, y: 0.0013, span: 0.04),
    ]

    private static let constants: [(Double, Double)] = [
        (-0.8, 0.156), (-0.4, 0.6), (0.285, 0.01), (-0.7269, 0.1889), (-0.835, -0.2321),
        (0.355, 0.355), (-0.162, 1.04), (-1.25, 0.02),
    ]

    private static let palettes: [[UInt32]] = [
        [0x000764, 0x206BCB, 0xEDFFFF, 0xFFAA00, 0x5A0E00],
        [0x1A0B2E, 0x6A1B9A, 0xE91E63, 0xFFC107, 0xFFF8E1, 0x4A148C],
        [0x001510, 0x00695C, 0x4DB6AC, 0xF1F8E9, 0xAED581, 0x33691E],
        [0x10051F, 0xB71C1C, 0xFF8F00, 0xFFF59D, 0x7F0000],
        [0x03142B, 0x0277BD, 0x80DEEA, 0xFFFFFF, 0x9575CD, 0x311B92],
    ]

    private static let maximumSteps = 140

    static func paintMandelbrot(_ canvas: inout Canvas, random: inout SeededRandom) {
        let place = random.choice(of: places)
        let zoom = Double(random.number(in: 0.6..<1.3))
        let view = View(x: place.x, y: place.y, span: place.span * zoom)
        paint(&canvas, view: view, random: &random) { x, y in
            escape(x: 0, y: 0, addingX: x, addingY: y)
        }
    }

    static func paintJulia(_ canvas: inout Canvas, random: inout SeededRandom) {
        let (x, y) = random.choice(of: constants)
        let shift = Double(random.number(in: -0.004..<0.004))
        let view = View(x: 0, y: 0, span: Double(random.number(in: 1.8..<3.0)))
        paint(&canvas, view: view, random: &random) { startX, startY in
            escape(x: startX, y: startY, addingX: x + shift, addingY: y - shift)
        }
    }

    private static func paint(
        _ canvas: inout Canvas,
        view: View,
        random: inout SeededRandom,
        steps: (Double, Double) -> Float?
    ) {
        let gradient = Gradient(random.choice(of: palettes), cyclic: true)
        let phase = random.number(in: 0..<1)
        let inside = gradient.color(cycling: phase).scaled(by: 0.12)
        let scale = view.span / Double(max(canvas.width, canvas.height))
        let (middleX, middleY) = (Double(canvas.width) / 2, Double(canvas.height) / 2)
        canvas.fill { x, y in
            let count = steps(
                view.x + (Double(x) - middleX) * scale,
                view.y + (Double(y) - middleY) * scale
            )
            guard let count else { return inside }
            return gradient.color(cycling: phase + (count + 1).squareRoot() * 0.23)
        }
    }

    /// Returns the number of iterations of z → z² + c after which |z|² exceeds 64, or nil if it
    /// does not exceed 64 within `maximumSteps` iterations.
    ///
    /// The number includes a fraction of an iteration.
    private static func escape(
        x startX: Double,
        y startY: Double,
        addingX: Double,
        addingY: Double
    ) -> Float? {
        var (x, y) = (startX, startY)
        for step in 0..<maximumSteps {
            let (xx, yy) = (x * x, y * y)
            if xx + yy > 64 {
                return max(0, Float(step) + 1 - log2f(0.5 * log2f(Float(xx + yy))))
            }
            y = 2 * x * y + addingY
            x = xx - yy + addingX
        }
        return nil
    }
}

/// Superimposed waves, a classic effect of old computer demos.
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
        // The waves along the axes are taken from a table, which avoids computing a sine per pixel.
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
