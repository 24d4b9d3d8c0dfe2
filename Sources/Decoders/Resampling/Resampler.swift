/// A resampler that calculates exact area averages row by row, in linear light and with
/// premultiplied alpha.
///
/// The resampler needs memory for two rows of sums and for the result, regardless of the image
/// height. It can also enlarge images. Each source pixel is a box of uniform color. If a target
/// pixel is inside one box, it has the color of that box. If it overlaps several boxes, their
/// colors are mixed in proportion to the areas.
struct Resampler {
    private let horizontal: ResamplingAxis
    private let vertical: ResamplingAxis
    private let hasAlpha: Bool
    private let spans: [ResamplingAxis.Span]
    private var rowSums: [UInt64]
    private var cellSums: [UInt64]
    /// The number of added sample rows, and their total height in the units of the vertical axis.
    private var rowCount = 0
    private var position = 0
    private var output: [UInt8] = []

    /// Creates a resampler; the source size and the target size must not be empty.
    init(_ sampling: Sampling, target: PixelSize, hasAlpha: Bool) {
        precondition(!sampling.source.isEmpty && !target.isEmpty, "nothing to resample")
        horizontal = sampling.axis(of: sampling.source.width, cellCount: target.width)
        vertical = sampling.axis(of: sampling.source.height, cellCount: target.height)
        self.hasAlpha = hasAlpha
        spans = (0..<target.width).map(horizontal.span)
        rowSums = Array(repeating: 0, count: target.width * 4)
        cellSums = rowSums
        output.reserveCapacity(target.pixelCount * 4)
    }

    /// Returns the working memory, in bytes, for a result with rows of `width` pixels, not
    /// including the result itself.
    static func workByteCount(width: Int) -> Int {
        width * (MemoryLayout<ResamplingAxis.Span>.stride + 2 * 4 * MemoryLayout<UInt64>.stride)
    }

    /// Adds the next rows of samples, stored without gaps as R, G, B, A bytes.
    ///
    /// Rows below the image are ignored.
    mutating func add(_ rows: UnsafeRawBufferPointer) {
        let rowByteCount = horizontal.sampleCount * 4
        precondition(rows.count.isMultiple(of: rowByteCount), "a row is too short")
        guard let start = rows.baseAddress else { return }
        let count = rows.count / rowByteCount
        add(SampleRows(start: start, rowByteCount: rowByteCount, count: count))
    }

    /// Adds the next rows of samples; all rows must be complete.
    mutating func add(_ rows: SampleRows) {
        var rows = rows
        while rows.count > 0, position < vertical.unitCount {
            let count = min(
                rows.count,
                vertical.evenSampleCount(from: rowCount, at: position),
                RowReduction.maximumRowCount
            )
            let taken = max(1, count & ~1)
            reduce(SampleRows(start: rows.start, rowByteCount: rows.rowByteCount, count: taken))
            taken > 1 ? addEven(rowCount: taken) : addOne()
            rowCount += taken
            rows = rows.dropFirst(taken)
        }
    }

    /// Adds `count` rows of transparent samples; `count` must be positive.
    ///
    /// Rows below the image are ignored.
    mutating func addTransparent(rowCount count: Int) {
        let end = vertical.end(ofSample: rowCount + count - 1)
        while position < end {
            let cellEnd = (position / vertical.length + 1) * vertical.length
            position = min(end, cellEnd)
            if position == cellEnd { emit() }
        }
        rowCount += count
    }

    /// Returns the result; call this method after all rows have been added.
    consuming func finish() -> PixelBuffer {
        PixelBuffer(
            size: PixelSize(width: horizontal.cellCount, height: vertical.cellCount),
            bytes: output,
            hasAlpha: hasAlpha
        )
    }

    /// Adds the sums of rows that are entirely in the current row of target pixels.
    ///
    /// Each of these rows has the full weight (`sampleWeight`).
    private mutating func addEven(rowCount: Int) {
        accumulate(weight: UInt64(vertical.sampleWeight))
        position += rowCount * vertical.sampleWeight
        if position.isMultiple(of: vertical.length) { emit() }
    }

    /// Adds the sums of one row to every row of target pixels that it overlaps.
    private mutating func addOne() {
        let end = vertical.end(ofSample: rowCount)
        while position < end {
            let cellEnd = (position / vertical.length + 1) * vertical.length
            let part = min(end, cellEnd) - position
            accumulate(weight: UInt64(part))
            position += part
            if position == cellEnd { emit() }
        }
    }

    private mutating func reduce(_ rows: SampleRows) {
        let isOpaque = !hasAlpha || rows.isOpaque(width: horizontal.sampleCount)
        SRGBTransfer.linear.withUnsafeBufferPointer { linear in
            spans.withUnsafeBufferPointer { spans in
                rowSums.withUnsafeMutableBufferPointer { sums in
                    guard let linear = linear.baseAddress, let sums = sums.baseAddress else {
                        return
                    }
                    let reduction = RowReduction(
                        spans: spans,
                        weight: UInt64(horizontal.sampleWeight),
                        linear: linear,
                        sums: sums
                    )
                    isOpaque ? reduction.reduceOpaque(rows) : reduction.reduceTransparent(rows)
                }
            }
        }
        if hasAlpha, isOpaque { multiplyByFullAlpha(rowCount: rows.count) }
    }

    /// Converts sums without alpha to sums with an alpha of 255.
    private mutating func multiplyByFullAlpha(rowCount: Int) {
        let alpha = 255 * UInt64(horizontal.length) * UInt64(rowCount)
        rowSums.withUnsafeMutableBufferPointer { sums in
            for index in stride(from: 0, to: sums.count, by: 4) {
                sums[index] &*= 255
                sums[index + 1] &*= 255
                sums[index + 2] &*= 255
                sums[index + 3] = alpha
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

    /// Writes a complete row of target pixels to the output and resets the sums for the next row.
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
