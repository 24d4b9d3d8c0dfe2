internal import Decoders

/// A picture's pixels laid over the backdrop that shows through its transparent parts.
struct PixelPlane: Sendable {
    let size: PixelSize
    /// Red, green and blue of each pixel, row by row; the fourth part is not used.
    var colors: [SIMD4<UInt8>]

    /// The backdrop is as large as in half cells, whatever the pixels of a cell.
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
                let grey = backdrop.grey(
                    row: index / width * 2 / grid.rows,
                    column: index % width / grid.columns
                )
                return Self.laid(color, over: grey)
            }
        }
    }

    /// The colour at a place inside the picture.
    func color(row: Int, column: Int) -> RGB {
        RGB(colors[row * size.width + column])
    }

    private static func laid(_ color: SIMD4<UInt8>, over grey: Int) -> SIMD4<UInt8> {
        let alpha = Int32(color.w)
        let back = SIMD4(repeating: Int32(grey) &* (255 &- alpha))
        let mixed = (SIMD4<Int32>(truncatingIfNeeded: color) &* alpha &+ back) / 255
        return SIMD4<UInt8>(truncatingIfNeeded: mixed)
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
