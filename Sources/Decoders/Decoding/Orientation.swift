/// The values of EXIF tag 0x0112, named after the operation that makes the stored image upright.
package enum Orientation: Int, CaseIterable, Sendable {
    case upright = 1
    case mirrored = 2
    case rotated180 = 3
    case flipped = 4
    case transposed = 5
    case rotatedRight = 6
    case transversed = 7
    case rotatedLeft = 8

    /// Whether stored columns are displayed as rows.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// Converts a stored size to a displayed size, or vice versa.
    package func apply(to size: PixelSize) -> PixelSize {
        swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Returns the stored index of the pixel displayed at the top left, and the index offsets to
    /// the pixels displayed to its right and below it.
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

    /// Returns the upright version of `stored`.
    package func apply(to stored: PixelBuffer) -> PixelBuffer {
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

/// Methods that combine orientations and convert positions.
extension Orientation {
    /// The steps in the stored image that correspond to one step right and one step down in the
    /// displayed image.
    private var steps: (right: Step, down: Step) {
        switch self {
        case .upright: (Step(x: 1, y: 0), Step(x: 0, y: 1))
        case .mirrored: (Step(x: -1, y: 0), Step(x: 0, y: 1))
        case .rotated180: (Step(x: -1, y: 0), Step(x: 0, y: -1))
        case .flipped: (Step(x: 1, y: 0), Step(x: 0, y: -1))
        case .transposed: (Step(x: 0, y: 1), Step(x: 1, y: 0))
        case .rotatedRight: (Step(x: 0, y: -1), Step(x: 1, y: 0))
        case .transversed: (Step(x: 0, y: -1), Step(x: -1, y: 0))
        case .rotatedLeft: (Step(x: 0, y: 1), Step(x: -1, y: 0))
        }
    }

    private struct Step: Equatable {
        let x: Int
        let y: Int

        /// Converts this step in the displayed image to a step in the stored image.
        ///
        /// Pass the `steps` of the orientation between the two images.
        func through(_ steps: (right: Step, down: Step)) -> Step {
            Step(
                x: x * steps.right.x + y * steps.down.x,
                y: x * steps.right.y + y * steps.down.y
            )
        }
    }

    /// Returns the orientation with the same effect as this orientation followed by `next`.
    package func followed(by next: Orientation) -> Orientation {
        let right = next.steps.right.through(steps)
        let down = next.steps.down.through(steps)
        return Self.allCases.first { $0.steps == (right, down) } ?? .upright
    }

    /// Converts a rectangle in the displayed image to a rectangle in the stored image.
    ///
    /// `size` is the size of the stored image.
    package func stored(_ shown: PixelRect, in size: PixelSize) -> PixelRect {
        let (right, down) = steps
        let extent = apply(to: PixelSize(width: shown.width, height: shown.height))
        let (x, y) = swapsAxes ? (shown.y, shown.x) : (shown.x, shown.y)
        return PixelRect(
            x: right.x + down.x > 0 ? x : size.width - x - extent.width,
            y: right.y + down.y > 0 ? y : size.height - y - extent.height,
            width: extent.width,
            height: extent.height
        )
    }

    /// Converts a point in the stored image to a point in the displayed image; coordinates range
    /// from 0 to 1.
    package func shown(x: Double, y: Double) -> (x: Double, y: Double) {
        let (right, down) = steps
        let (alongX, alongY) = (right.x + down.x > 0 ? x : 1 - x, right.y + down.y > 0 ? y : 1 - y)
        return swapsAxes ? (alongY, alongX) : (alongX, alongY)
    }
}
