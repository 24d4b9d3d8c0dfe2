internal import Decoders

/// An image's pixels laid over the backdrop that shows through its transparent parts.
struct PixelPlane: Sendable {
    let size: PixelSize
    /// Red, green and blue of each pixel, row by row; the fourth part is 0 where the backdrop alone
    /// is seen.
    var colors: [SIMD4<UInt8>]

    /// The backdrop is as large as in half blocks, whatever the pixels of a cell.
    init(_ pixels: PixelBuffer, grid: CellGrid, backdrop: Backdrop) {
        size = pixels.size
        let width = max(1, pixels.size.width)
        let isOpaque = !pixels.hasAlpha
        colors = pixels.bytes.withUnsafeBufferPointer { bytes in
            (0..<bytes.count / 4).map { index in
                let start = index * 4
                let color = SIMD4(
                    bytes[start],
                    bytes[start + 1],
                    bytes[start + 2],
                    bytes[start + 3]
                )
                guard !isOpaque, color.w < 255 else { return color }
                let row = index / width / grid.rows
                let column = index % width / grid.columns
                return Self.laid(color, over: backdrop.color(row: row, column: column))
            }
        }
    }

    /// The colour at a place inside the image.
    func color(row: Int, column: Int) -> RGB {
        RGB(colors[row * size.width + column])
    }

    private static func laid(_ color: SIMD4<UInt8>, over ground: RGB) -> SIMD4<UInt8> {
        var laid = color.laid(over: ground.packed)
        if color.w == 0 { laid.w = 0 }
        return laid
    }
}

extension RGB {
    init(_ color: SIMD4<UInt8>) {
        self.init(red: Int(color.x), green: Int(color.y), blue: Int(color.z))
    }

    /// The colour in eight bits a channel, cut to what they hold.
    var packed: SIMD4<UInt8> {
        SIMD4(UInt8(clamping: red), UInt8(clamping: green), UInt8(clamping: blue), 255)
    }
}

/// The pixels of one cell, channel by channel: up to eight, the first at the upper left.
struct CellPixels {
    private(set) var red = SIMD8<Float>()
    private(set) var green = SIMD8<Float>()
    private(set) var blue = SIMD8<Float>()

    /// No pixels yet: all are black.
    init() {}

    /// The pixel at a place.
    subscript(index: Int) -> SIMD4<UInt8> {
        get {
            SIMD4(UInt8(red[index]), UInt8(green[index]), UInt8(blue[index]), 255)
        }
        set {
            red[index] = Float(newValue.x)
            green[index] = Float(newValue.y)
            blue[index] = Float(newValue.z)
        }
    }

    /// The channels stretched, so that plain squared distances become weighted ones.
    func scaled(red: Float, green: Float, blue: Float) -> CellPixels {
        var scaled = self
        scaled.red *= red
        scaled.green *= green
        scaled.blue *= blue
        return scaled
    }
}

/// Colours of a group of pixels.
extension CellPixels {
    /// The mean colour of the pixels whose bits are set; black for none.
    ///
    /// The mean of the values as they are coded, which is the colour of least squared error; in
    /// linear light it would be brighter, but pixels of one group differ little.
    func mean(of pattern: Int) -> RGB {
        var sum = SIMD4<Float>()
        var rest = pattern
        while rest != 0 {
            let pixel = rest.trailingZeroBitCount
            sum += SIMD4(red[pixel], green[pixel], blue[pixel], 1)
            rest &= rest - 1
        }
        guard sum.w > 0 else { return RGB(red: 0, green: 0, blue: 0) }
        let mean = (sum / sum.w).rounded(.toNearestOrAwayFromZero)
        return RGB(red: Int(mean.x), green: Int(mean.y), blue: Int(mean.z))
    }
}

extension SIMD4<UInt8> {
    /// Red, green, blue and alpha over an opaque colour.
    func laid(over ground: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let alpha = Int32(w)
        let back = SIMD4<Int32>(truncatingIfNeeded: ground) &* (255 &- alpha)
        let mixed = (SIMD4<Int32>(truncatingIfNeeded: self) &* alpha &+ back) / 255
        var laid = SIMD4<UInt8>(truncatingIfNeeded: mixed)
        laid.w = 255
        return laid
    }
}
