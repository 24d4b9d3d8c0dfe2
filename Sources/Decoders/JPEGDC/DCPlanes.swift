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

    init(frame: JPEGFrame) {
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
    static func byteCount(_ frame: JPEGFrame) -> Int {
        let (columns, rows) = frame.mcuCount
        return frame.components.reduce(0) {
            $0 + columns * rows * $1.horizontal * $1.vertical
        }
    }
}

/// Turns rows of the DC grid into R, G, B, 255: coarser components repeated and YCbCr converted as
/// libjpeg does at scale 1/8, bit by bit.
struct DCImage {
    let planes: DCPlanes
    let isRGB: Bool

    /// The rows from `first` on that fit into `strip`.
    func convert(row first: Int, into strip: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let width = planes.size.width
        let count = min(planes.size.height - first, strip.count / max(1, width * 4))
        guard count > 0, let start = strip.baseAddress else { return 0 }
        planes.samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            for row in 0..<count {
                convert(row: first + row, of: base, into: start + row * width * 4)
            }
        }
        return count
    }

    private func convert(
        row: Int,
        of samples: UnsafePointer<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        let lines = planes.planes.map { plane in
            Line(
                start: samples + plane.start + (row >> plane.rowShift) * plane.stride,
                shift: plane.columnShift
            )
        }
        switch (lines.count, isRGB) {
        case (3, false): convertYCC(lines[0], lines[1], lines[2], into: output)
        case (3, true): copy(lines[0], lines[1], lines[2], into: output)
        default: copy(lines[0], lines[0], lines[0], into: output)
        }
    }

    /// The samples of a component for one row of the luma grid.
    private struct Line {
        let start: UnsafePointer<UInt8>
        /// What to shift the luma grid's column by.
        let shift: Int
    }

    private func copy(
        _ red: Line,
        _ green: Line,
        _ blue: Line,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        var pixel = output
        for column in 0..<planes.size.width {
            pixel[0] = red.start[column &>> red.shift]
            pixel[1] = green.start[column &>> green.shift]
            pixel[2] = blue.start[column &>> blue.shift]
            pixel[3] = 255
            pixel += 4
        }
    }

    /// JFIF's matrix with 16 bits behind the point, rounded where libjpeg rounds; chroma is turned
    /// into what it adds once for all the columns that share it.
    private func convertYCC(
        _ luma: Line,
        _ blue: Line,
        _ red: Line,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        let half: Int32 = 1 << 15
        let shift = min(blue.shift, red.shift)
        let width = planes.size.width
        var pixel = output
        var column = 0
        while column < width {
            let b = Int32(blue.start[column &>> blue.shift]) &- 128
            let r = Int32(red.start[column &>> red.shift]) &- 128
            let addedRed = (91_881 &* r &+ half) &>> 16
            let addedGreen = (half &- 22_554 &* b &- 46_802 &* r) &>> 16
            let addedBlue = (116_130 &* b &+ half) &>> 16
            let end = min(width, column &+ (1 &<< shift))
            while column < end {
                let y = Int32(luma.start[column &>> luma.shift])
                pixel[0] = UInt8(clamping: y &+ addedRed)
                pixel[1] = UInt8(clamping: y &+ addedGreen)
                pixel[2] = UInt8(clamping: y &+ addedBlue)
                pixel[3] = 255
                pixel += 4
                column &+= 1
            }
        }
    }
}
