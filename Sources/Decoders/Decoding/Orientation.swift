/// How stored rows and columns are shown: the values of EXIF tag 0x0112, named for what has to be
/// done to the stored picture.
enum Orientation: Int {
    case upright = 1
    case mirrored = 2
    case rotated180 = 3
    case flipped = 4
    case transposed = 5
    case rotatedRight = 6
    case transversed = 7
    case rotatedLeft = 8

    /// Whether columns become rows.
    var swapsAxes: Bool { rawValue >= 5 }

    /// A stored size as it is shown, or a shown size as it is stored.
    func apply(to size: PixelSize) -> PixelSize {
        swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Where the shown top left pixel is stored, and how far the next one to the right and the
    /// next one below are from it.
    private func walk(over size: PixelSize) -> (origin: Int, right: Int, down: Int) {
        let width = size.width
        let lastRow = (size.height - 1) * width
        let last = size.pixelCount - 1
        return switch self {
        case .upright: (0, 1, width)
        case .mirrored: (width - 1, -1, width)
        case .rotated180: (last, -1, -width)
        case .flipped: (lastRow, 1, -width)
        case .transposed: (0, width, 1)
        case .rotatedRight: (lastRow, -width, 1)
        case .transversed: (last, -width, -1)
        case .rotatedLeft: (width - 1, width, -1)
        }
    }

    /// The picture as it is shown.
    func apply(to stored: PixelBuffer) -> PixelBuffer {
        guard self != .upright, !stored.size.isEmpty else { return stored }
        let size = apply(to: stored.size)
        let walk = walk(over: stored.size)
        let byteCount = size.pixelCount * 4
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            stored.bytes.withUnsafeBytes { source in
                let target = UnsafeMutableRawBufferPointer(output)
                var offset = 0
                for row in 0..<size.height {
                    var index = walk.origin + row * walk.down
                    for _ in 0..<size.width {
                        let pixel = source.loadUnaligned(
                            fromByteOffset: index * 4,
                            as: UInt32.self
                        )
                        target.storeBytes(of: pixel, toByteOffset: offset, as: UInt32.self)
                        offset += 4
                        index += walk.right
                    }
                }
            }
            count = byteCount
        }
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: stored.hasAlpha)
    }
}
