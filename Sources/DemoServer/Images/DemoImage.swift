public import Decoders

/// A generated image of the demo, determined by its number and a seed.
///
/// The same number and seed always produce the same pixels and the same file. Painting an image has
/// no side effects and takes tens of milliseconds on the calling thread.
public struct DemoImage: Hashable, Sendable {
    /// The kind of subject that an image shows.
    enum Family: String, CaseIterable {
        case landscape, mandelbrot, julia, shapes, plasma, island, lights, sticker
    }

    /// The number of the image, which is also drawn on the image.
    public let number: Int
    /// The seed of the demo feed.
    public let seed: UInt64

    /// Creates the description of an image without painting it.
    public init(number: Int, seed: UInt64) {
        self.number = number
        self.seed = seed
    }

    /// The size of the image: about 640×480 pixels, in landscape, portrait or square format.
    public var size: PixelSize { traits.size }

    /// The format of the image file in the feed: JPEG or PNG.
    ///
    /// A client can also request the image in the other format.
    public var format: ImageFormat { traits.format }

    /// Whether the file is a progressive JPEG or an interlaced PNG.
    public var isProgressive: Bool { traits.isProgressive }

    /// The caption in the feed, such as "Landscape 17".
    public var caption: String {
        let name =
            switch traits.family {
            case .lights: "Night lights"
            case let family: family.rawValue.prefix(1).uppercased() + family.rawValue.dropFirst()
            }
        return "\(name) \(number)"
    }

    /// Paints the image at its own size.
    public func pixels() -> PixelBuffer {
        pixels(size: size)
    }

    /// Paints the image at any size, for example for scaled images and contact sheets.
    func pixels(size: PixelSize) -> PixelBuffer {
        var canvas = Canvas(size: size)
        var random = SeededRandom(seed: mixedSeed &+ 1)
        switch traits.family {
        case .landscape: Landscape.paint(&canvas, random: &random)
        case .mandelbrot: Fractal.paintMandelbrot(&canvas, random: &random)
        case .julia: Fractal.paintJulia(&canvas, random: &random)
        case .shapes: Shapes.paint(&canvas, random: &random)
        case .plasma: Plasma.paint(&canvas, random: &random)
        case .island: Island.paint(&canvas, random: &random)
        case .lights: NightLights.paint(&canvas, random: &random)
        case .sticker: Shapes.paintSticker(&canvas, random: &random)
        }
        canvas.draw(number: number)
        return canvas.pixels(hasAlpha: traits.family == .sticker)
    }

    /// Paints the image and encodes it in `format`.
    ///
    /// If `width` is not nil, the image is painted at this width in pixels, with the same
    /// proportions. In a JPEG file, transparent parts are white.
    public func encoded(
        as format: ImageFormat,
        width: Int? = nil
    ) throws(ImageEncodingError) -> [UInt8] {
        let pixels = pixels(size: width.map(size(scaledTo:)) ?? size)
        return format == .png
            ? try PNGEncoder.encode(pixels, interlaced: isProgressive)
            : try JPEGEncoder.encode(pixels, quality: 85, progressive: isProgressive)
    }

    private func size(scaledTo width: Int) -> PixelSize {
        PixelSize(width: width, height: max(1, size.height * width / size.width))
    }

    private struct Traits {
        let family: Family
        let size: PixelSize
        let format: ImageFormat
        let isProgressive: Bool
    }

    private static let sizes = [
        (640, 480), (640, 427), (720, 405), (480, 640), (427, 640), (512, 512), (800, 400),
        (640, 480),
    ].map { PixelSize(width: $0.0, height: $0.1) }

    private var mixedSeed: UInt64 {
        var random = SeededRandom(
            seed: seed ^ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03
        )
        return random.next()
    }

    private var traits: Traits {
        var random = SeededRandom(seed: mixedSeed)
        let family = random.choice(of: Family.weighted)
        let size = random.choice(of: Self.sizes)
        let isPNG = family == .sticker || random.index(below: 4) == 0
        return Traits(
            family: family,
            size: size,
            format: isPNG ? .png : .jpeg,
            isProgressive: random.index(below: 3) == 0
        )
    }
}

extension DemoImage.Family {
    /// The families from which an image's family is chosen.
    ///
    /// Landscapes and islands are listed more than once so that they are chosen more often, because
    /// they look most like the images that users browse.
    fileprivate static let weighted: [Self] =
        Self.allCases + [.landscape, .landscape, .landscape, .island]
}

/// Decimal digits drawn with 5×7 dots.
enum Digits {
    static let width = 5
    static let height = 7

    /// The dots of each digit; a row is five bits, with the leftmost dot in the highest bit.
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

    /// Returns whether `digit` has a dot at this position.
    ///
    /// Positions outside the digit have no dots.
    static func hasDot(digit: Int, column: Int, row: Int) -> Bool {
        guard (0...9).contains(digit), (0..<width).contains(column), (0..<height).contains(row)
        else { return false }
        return rows[digit][row] >> UInt8(width - 1 - column) & 1 == 1
    }
}

extension Canvas {
    /// Draws `number` in the lower left corner.
    ///
    /// A dark background makes the number readable on any image.
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
