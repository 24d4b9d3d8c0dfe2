import Glibc

/// Mountain ridges, one behind another, under a sky with a sun; some images have a lake in front.
struct Landscape {
    private struct Mood {
        let sky: [UInt32]
        let sun: UInt32
        let far: UInt32
        let near: UInt32
    }

    private static let moods = [
        Mood(sky: [0x1B4F9C, 0x4B91D9, 0xA9D4F0], sun: 0xFFF7D6, far: 0x8FB2CF, near: 0x1F4A2C),
        Mood(sky: [0x2B2350, 0xA8487A, 0xFFB35C], sun: 0xFFE9A8, far: 0xB8697F, near: 0x1D1430),
        Mood(sky: [0x3C6FB0, 0xF2A7A0, 0xFFE0B0], sun: 0xFFFFFF, far: 0xC39AAE, near: 0x2F3B4F),
        Mood(sky: [0x05081C, 0x101C48, 0x2C4A80], sun: 0xF4F1DE, far: 0x2A4370, near: 0x05070F),
        Mood(sky: [0x0E6B6B, 0x57B8A0, 0xF5E9B8], sun: 0xFFF3C4, far: 0x7FB8A8, near: 0x123A2F),
        Mood(sky: [0x7A1F2B, 0xE2572B, 0xFFD166], sun: 0xFFF6E0, far: 0xD98B55, near: 0x3A1320),
    ]

    static func paint(_ canvas: inout Canvas, random: inout SeededRandom) {
        let mood = random.choice(of: moods)
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        let clouds = NoiseField(
            width: canvas.width,
            height: canvas.height,
            shape: .init(cells: 3, octaves: 5),
            random: &random
        )
        let ridges = Ridges(width: canvas.width, height: height, random: &random)
        let waterLine = random.index(below: 2) == 0 ? height * 0.76 : height * 2
        let sky = Sky(
            gradient: Gradient(mood.sky),
            horizon: height * 0.7,
            sun: Color(hex: mood.sun),
            sunX: random.number(in: 0.15..<0.85) * width,
            sunY: random.number(in: 0.15..<0.5) * height,
            radius: min(width, height) * 0.07
        )
        let (far, near) = (Color(hex: mood.far), Color(hex: mood.near))

        func land(_ x: Int, _ y: Float, grain: Float) -> Color {
            guard let ridge = ridges.nearest(x: x, y: y) else {
                return sky.color(x: Float(x), y: y, cloud: grain)
            }
            let depth = ridges.depth(of: ridge)
            let haze = smoothStep(0, height * 0.35, y - ridges.height(of: ridge, x: x)) * 0.25
            return far.mixed(with: near, depth).mixed(with: far, haze)
                .scaled(by: 0.8 + grain * 0.4)
        }

        canvas.fill { x, y in
            let grain = clouds.value(x: x, y: y)
            guard Float(y) > waterLine else { return land(x, Float(y), grain: grain) }
            let below = Float(y) - waterLine
            let ripple = sinf(below * below * 0.02 + grain * 9) * (1 + below * 0.05)
            let mirrored = land(x, waterLine - below * 1.6 + ripple, grain: grain)
            return mirrored.scaled(by: 0.8).mixed(with: Color(hex: mood.sky[0]), 0.2)
        }
    }
}

/// The sky: a gradient, clouds, and the sun with its glow.
private struct Sky {
    let gradient: Gradient
    let horizon: Float
    let sun: Color
    let sunX: Float
    let sunY: Float
    let radius: Float

    func color(x: Float, y: Float, cloud: Float) -> Color {
        let base = gradient.color(at: y / horizon)
        let (across, down) = (x - sunX, y - sunY)
        let distance = (across * across + down * down).squareRoot()
        let disc = 1 - smoothStep(radius - 1, radius + 1, distance)
        let glow = radius / (radius + distance)
        let cover = smoothStep(0.5, 0.85, cloud) * 0.6
        return base.mixed(with: Color(1, 1, 1).mixed(with: sun, 0.5), cover)
            .mixed(with: sun, max(disc * (1 - cover), glow * glow * 0.7))
    }
}

/// The outlines of five mountain ridges, farthest first.
///
/// Each outline is a sum of octaves of one-dimensional noise.
private struct Ridges {
    private let lines: [[Float]]

    init(width: Int, height: Float, random: inout SeededRandom) {
        let count = 5
        lines = (0..<count).map { ridge in
            let field = NoiseField(
                width: width,
                height: 1,
                shape: .init(cells: 3 + Float(ridge), octaves: 7),
                random: &random
            )
            let position = Float(ridge) / Float(count - 1)
            let base = height * (0.62 + 0.33 * position)
            let swing = height * (0.42 - 0.22 * position)
            return field.values.map { base - ($0 - 0.25) * swing }
        }
    }

    /// Returns the index of the ridge that is visible at this point, or nil if the sky is visible.
    func nearest(x: Int, y: Float) -> Int? {
        lines.indices.last { lines[$0][x] <= y }
    }

    func height(of ridge: Int, x: Int) -> Float { lines[ridge][x] }

    func depth(of ridge: Int) -> Float { Float(ridge) / Float(lines.count - 1) }
}

/// Land and sea from above: fractal heights, colored by height and lit from the northwest.
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
