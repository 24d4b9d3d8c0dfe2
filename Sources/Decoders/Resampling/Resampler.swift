/// Reduces a picture to an exact area average while its rows arrive, in linear light and with
/// premultiplied alpha.
///
/// Holds two rows of sums and the result, whatever the height of the picture. Enlarging works by
/// the same rule: a pixel is a box of even colour, so a target cell inside one pixel repeats it and
/// one on a border mixes its neighbours by their share.
struct Resampler {
    private let horizontal: ResamplingAxis
    private let vertical: ResamplingAxis
    private let hasAlpha: Bool
    private let spans: [ResamplingAxis.Span]
    private var rowSums: [UInt64]
    private var cellSums: [UInt64]
    /// The units of the vertical axis that have been added.
    private var position = 0
    private var output: [UInt8] = []

    /// Makes a resampler for a picture of `source` pixels, `step` of which (each way) went into
    /// each sample handed in; neither size may be empty.
    init(source: PixelSize, step: Int, target: PixelSize, hasAlpha: Bool) {
        precondition(!source.isEmpty && !target.isEmpty && step > 0, "nothing to resample")
        let horizontal = ResamplingAxis(
            length: source.width,
            step: step,
            cellCount: target.width
        )
        self.horizontal = horizontal
        vertical = ResamplingAxis(length: source.height, step: step, cellCount: target.height)
        self.hasAlpha = hasAlpha
        spans = (0..<target.width).map(horizontal.span)
        rowSums = Array(repeating: 0, count: target.width * 4)
        cellSums = rowSums
        output.reserveCapacity(target.pixelCount * 4)
    }

    /// The bytes a resampler for a result `width` pixels wide holds beside the result.
    static func workByteCount(width: Int) -> Int {
        width * (MemoryLayout<ResamplingAxis.Span>.stride + 2 * 4 * MemoryLayout<UInt64>.stride)
    }

    /// Adds the next row of samples, R, G, B, A bytes; rows past the last are ignored.
    mutating func add(_ row: UnsafeRawBufferPointer) {
        precondition(row.count >= horizontal.sampleCount * 4, "a row is too short")
        var remaining = min(vertical.sampleWeight, vertical.unitCount - position)
        guard remaining > 0, let pixels = row.baseAddress else { return }
        reduce(pixels)
        while remaining > 0 {
            let cellEnd = (position / vertical.length + 1) * vertical.length
            let part = min(remaining, cellEnd - position)
            accumulate(weight: UInt64(part))
            position += part
            remaining -= part
            if position == cellEnd { emit() }
        }
    }

    /// The result; all rows must have been added.
    consuming func finish() -> PixelBuffer {
        PixelBuffer(
            size: PixelSize(width: horizontal.cellCount, height: vertical.cellCount),
            bytes: output,
            hasAlpha: hasAlpha
        )
    }

    private mutating func reduce(_ pixels: UnsafeRawPointer) {
        let weight = UInt64(horizontal.sampleWeight)
        let reduceRow = hasAlpha ? RowReduction.reduceTransparent : RowReduction.reduceOpaque
        SRGBTransfer.linear.withUnsafeBufferPointer { linear in
            spans.withUnsafeBufferPointer { spans in
                rowSums.withUnsafeMutableBufferPointer { sums in
                    guard let linear = linear.baseAddress, let sums = sums.baseAddress else {
                        return
                    }
                    let row = RowReduction.Row(pixels: pixels, linear: linear)
                    reduceRow(row, spans, weight, sums)
                }
            }
        }
    }

    private mutating func accumulate(weight: UInt64) {
        rowSums.withUnsafeBufferPointer { row in
            cellSums.withUnsafeMutableBufferPointer { cells in
                for index in cells.indices {
                    cells[index] &+= row[index] &* weight
                }
            }
        }
    }

    /// Writes the row of cells that has become complete, and starts the next.
    private mutating func emit() {
        let area = Double(horizontal.length) * Double(vertical.length)
        let writer = CellWriter(area: area, coded: SRGBTransfer.coded)
        for index in stride(from: 0, to: cellSums.count, by: 4) {
            let sums = SIMD4(
                cellSums[index],
                cellSums[index + 1],
                cellSums[index + 2],
                cellSums[index + 3]
            )
            let pixel = hasAlpha ? writer.transparent(sums) : writer.opaque(sums)
            output.append(pixel.x)
            output.append(pixel.y)
            output.append(pixel.z)
            output.append(pixel.w)
        }
        cellSums.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    }
}
