/// The DC grid of a picture: for each component one sample a block, as libjpeg's 1/8 scale has it.
struct DCPlanes {
    /// Where a component lies in `samples`.
    struct Plane: Equatable {
        let start: Int
        /// Samples from one row to the next: whole MCUs.
        let stride: Int
        /// What to shift the luma grid's column and row by.
        let columnShift: Int
        let rowShift: Int
    }

    var samples: [UInt8]
    let planes: [Plane]
    /// The luma grid.
    let size: PixelSize

    init(frame: DCFrame) {
        let (columns, rows) = frame.mcuCount
        var start = 0
        planes = frame.components.map { component in
            defer { start += columns * component.horizontal * rows * component.vertical }
            return Plane(
                start: start,
                stride: columns * component.horizontal,
                columnShift: (frame.horizontal / component.horizontal).trailingZeroBitCount,
                rowShift: (frame.vertical / component.vertical).trailingZeroBitCount
            )
        }
        samples = [UInt8](repeating: 0, count: start)
        size = PixelSize(width: (frame.size.width + 7) / 8, height: (frame.size.height + 7) / 8)
    }

    /// The bytes the planes of `frame` take.
    static func byteCount(_ frame: DCFrame) -> Int {
        let (columns, rows) = frame.mcuCount
        return frame.components.reduce(0) {
            $0 + columns * rows * $1.horizontal * $1.vertical
        }
    }
}
