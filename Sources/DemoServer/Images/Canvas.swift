import Decoders

/// The pixels of an image that is being painted, in RGBA.
///
/// All pixels are opaque until `setAlpha` is called.
struct Canvas {
    let width: Int
    let height: Int
    private var bytes: [UInt8]

    init(size: PixelSize) {
        width = size.width
        height = size.height
        bytes = [UInt8](repeating: 255, count: size.pixelCount * 4)
    }

    /// Returns the image in its current state.
    func pixels(hasAlpha: Bool) -> PixelBuffer {
        PixelBuffer(
            size: PixelSize(width: width, height: height),
            bytes: bytes,
            hasAlpha: hasAlpha
        )
    }

    /// Sets every pixel to the color that `shader` returns for it.
    mutating func fill(_ shader: (_ x: Int, _ y: Int) -> Color) {
        let (width, height) = (width, height)
        bytes.withUnsafeMutableBufferPointer { bytes in
            var offset = 0
            for y in 0..<height {
                for x in 0..<width {
                    let color = shader(x, y)
                    bytes[offset] = Self.byte(color.red)
                    bytes[offset + 1] = Self.byte(color.green)
                    bytes[offset + 2] = Self.byte(color.blue)
                    offset += 4
                }
            }
        }
    }

    /// Blends `color` over the pixels of a box.
    ///
    /// The opacity of each pixel is the value from 0 to 1 that `coverage` returns for it.
    mutating func blend(
        _ color: Color,
        x columns: Range<Int>,
        y rows: Range<Int>,
        coverage: (_ x: Int, _ y: Int) -> Float
    ) {
        for y in rows.clamped(to: 0..<height) {
            for x in columns.clamped(to: 0..<width) {
                let amount = coverage(x, y)
                guard amount > 0 else { continue }
                let offset = (y * width + x) * 4
                mix(color.red, amount, at: offset)
                mix(color.green, amount, at: offset + 1)
                mix(color.blue, amount, at: offset + 2)
                mix(1, amount, at: offset + 3)
            }
        }
    }

    /// Sets the opacity of each pixel to the value from 0 to 1 that `alpha` returns for it.
    mutating func setAlpha(_ alpha: (_ x: Int, _ y: Int) -> Float) {
        for y in 0..<height {
            for x in 0..<width {
                bytes[(y * width + x) * 4 + 3] = Self.byte(alpha(x, y))
            }
        }
    }

    private mutating func mix(_ component: Float, _ amount: Float, at offset: Int) {
        let old = Float(bytes[offset]) / 255
        bytes[offset] = Self.byte(old + (component - old) * amount)
    }

    private static func byte(_ component: Float) -> UInt8 {
        UInt8(max(0, min(255, component * 255 + 0.5)))
    }
}

/// A color for calculations, with sRGB components that are usually from 0 to 1 but not clamped.
struct Color: Equatable {
    var red: Float
    var green: Float
    var blue: Float

    init(_ red: Float, _ green: Float, _ blue: Float) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a color from a number in the form 0xRRGGBB.
    init(hex: UInt32) {
        self.init(
            Float(hex >> 16 & 255) / 255,
            Float(hex >> 8 & 255) / 255,
            Float(hex & 255) / 255
        )
    }

    /// Returns a mixture of this color and `other`.
    ///
    /// `amount` is the weight of `other`: 0 returns this color, and 1 returns `other`.
    func mixed(with other: Color, _ amount: Float) -> Color {
        Color(
            red + (other.red - red) * amount,
            green + (other.green - green) * amount,
            blue + (other.blue - blue) * amount
        )
    }

    /// Returns a lighter color if `factor` is above 1, or a darker color if it is below 1.
    func scaled(by factor: Float) -> Color {
        Color(red * factor, green * factor, blue * factor)
    }

    /// Returns the sum of this color and `amount` times another color.
    func lit(by other: Color, _ amount: Float) -> Color {
        Color(red + other.red * amount, green + other.green * amount, blue + other.blue * amount)
    }
}

/// Maps `value` from the range between `start` and `end` to the range from 0 to 1.
///
/// The result is 0 before `start` and 1 after `end`, and changes slowly near both ends.
func smoothStep(_ start: Float, _ end: Float, _ value: Float) -> Float {
    let position = max(0, min(1, (value - start) / (end - start)))
    return position * position * (3 - 2 * position)
}

/// A gradient with evenly spaced stops at positions from 0 to 1, stored in a table of 256 colors.
struct Gradient {
    private let table: [Color]

    /// Creates a gradient through `stops`; a cyclic gradient returns to its first stop.
    init(_ stops: [UInt32], cyclic: Bool = false) {
        let colors = stops.map(Color.init(hex:)) + (cyclic ? [Color(hex: stops[0])] : [])
        table = (0..<256).map { step in
            let position = Float(step) / 255 * Float(colors.count - 1)
            let index = min(Int(position), max(0, colors.count - 2))
            let next = min(index + 1, colors.count - 1)
            return colors[index].mixed(with: colors[next], position - Float(index))
        }
    }

    /// Returns the color at `position`; positions are clamped to the range from 0 to 1.
    func color(at position: Float) -> Color {
        table[Int(max(0, min(1, position)) * 255)]
    }

    /// Returns the color at `position` of a gradient that repeats endlessly.
    func color(cycling position: Float) -> Color {
        color(at: position - position.rounded(.down))
    }
}
