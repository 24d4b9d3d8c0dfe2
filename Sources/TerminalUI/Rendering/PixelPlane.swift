internal import Decoders

/// The pixels of an image, drawn over its background.
struct PixelPlane: Sendable {
    package let size: PixelSize
    /// The red, green and blue values of each pixel in row-major order.
    ///
    /// The fourth component is 0 if only the background is visible.
    package var colors: [SIMD4<UInt8>]

    /// Draws pixels over the background.
    ///
    /// The squares of the background have the same size for all symbol sets.
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

    /// Returns the color at a position inside the image.
    package func color(row: Int, column: Int) -> RGB {
        RGB(colors[row * size.width + column])
    }

    private static func laid(_ color: SIMD4<UInt8>, over ground: RGB) -> SIMD4<UInt8> {
        var laid = color.laid(over: ground.packed)
        if color.w == 0 { laid.w = 0 }
        return laid
    }
}

extension RGB {
    package init(_ color: SIMD4<UInt8>) {
        self.init(red: Int(color.x), green: Int(color.y), blue: Int(color.z))
    }

    /// The color as R, G, B, A bytes with an alpha of 255; the channels are clamped.
    package var packed: SIMD4<UInt8> {
        SIMD4(UInt8(clamping: red), UInt8(clamping: green), UInt8(clamping: blue), 255)
    }
}

/// The pixels of one cell, by channel.
///
/// There are at most eight pixels, starting at the top left.
struct CellPixels {
    package private(set) var red = SIMD8<Float>()
    package private(set) var green = SIMD8<Float>()
    package private(set) var blue = SIMD8<Float>()

    /// Creates black pixels.
    init() {}

    /// The pixel at an index.
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

    /// Returns the pixels with each channel multiplied by a factor.
    ///
    /// The squared distances between the results are weighted distances between the original
    /// colors.
    package func scaled(red: Float, green: Float, blue: Float) -> CellPixels {
        var scaled = self
        scaled.red *= red
        scaled.green *= green
        scaled.blue *= blue
        return scaled
    }
}

/// A method that computes the mean color of a group of pixels.
extension CellPixels {
    /// Returns the mean color of the pixels in a pattern, or black if the pattern is empty.
    ///
    /// The mean of the encoded values has the least squared error. The mean in linear light would
    /// be only slightly brighter because the pixels of a group differ little.
    package func mean(of pattern: Int) -> RGB {
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
    /// Returns this color blended over the opaque color `ground` according to its alpha.
    package func laid(over ground: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let alpha = Int32(w)
        let back = SIMD4<Int32>(truncatingIfNeeded: ground) &* (255 &- alpha)
        let mixed = (SIMD4<Int32>(truncatingIfNeeded: self) &* alpha &+ back) / 255
        var laid = SIMD4<UInt8>(truncatingIfNeeded: mixed)
        laid.w = 255
        return laid
    }
}
