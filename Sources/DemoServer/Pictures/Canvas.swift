import Decoders

/// The pixels of a picture while it is painted: RGBA, opaque until told otherwise.
struct Canvas {
    let width: Int
    let height: Int
    private var bytes: [UInt8]

    init(size: PixelSize) {
        width = size.width
        height = size.height
        bytes = [UInt8](repeating: 255, count: size.pixelCount * 4)
    }

    /// The picture so far.
    func pixels(hasAlpha: Bool) -> PixelBuffer {
        PixelBuffer(
            size: PixelSize(width: width, height: height),
            bytes: bytes,
            hasAlpha: hasAlpha
        )
    }

    /// Gives every pixel the colour that `shader` has there.
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

    /// Lays `color` over the pixels for which `coverage` is above 0, inside a box.
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

    /// Sets how opaque each pixel is, 0 to 1.
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
