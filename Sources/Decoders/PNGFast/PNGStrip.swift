/// Converts the stored rows of a PNG to R, G, B, A pixels, a few rows at a time.
///
/// The strip stores the converted rows and the row above them, from which the first row is
/// predicted.
struct PNGStrip: ~Copyable {
    private let layout: PNGLayout
    private let expansion: SampleExpansion
    private let rowCapacity: Int
    private let rows: UnsafeMutablePointer<UInt32>
    /// The number of rows converted by the last call to `fill`.
    private var filledRowCount = 0

    init(layout: PNGLayout, rowCapacity: Int) {
        self.layout = layout
        self.rowCapacity = rowCapacity
        expansion = SampleExpansion(layout: layout)
        let count = layout.size.width * (rowCapacity + 1)
        rows = .allocate(capacity: count)
        rows.initialize(repeating: 0, count: count)
    }

    deinit { rows.deallocate() }

    /// Returns the number of bytes that a strip allocates.
    static func byteCount(width: Int, rowCapacity: Int) -> Int {
        width * 4 * (rowCapacity + 1)
    }

    /// The pixels of the last filled rows, valid until `fill` is called again.
    var pixels: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: rows + layout.size.width,
            count: layout.size.width * 4 * filledRowCount
        )
    }

    /// Decodes consecutive rows, each preceded by its filter number; returns false if a filter
    /// number is invalid.
    ///
    /// The memory before `source` must contain the row above with its filter undone. At least
    /// `PNGLayout.marginByteCount` readable bytes must follow the rows.
    mutating func fill(from source: UnsafeMutablePointer<UInt8>, rowCount: Int) -> Bool {
        precondition(rowCount <= rowCapacity, "more rows than the strip has")
        let width = layout.size.width
        rows.update(from: rows + width * filledRowCount, count: width)
        filledRowCount = rowCount
        switch layout.color {
        case .rgb: return undo(source, byteCount: 3)
        case .rgba: return undo(source, byteCount: 4)
        case .indexed, .samples: return undoAndExpand(source)
        }
    }

    private func undoAndExpand(_ source: UnsafeMutablePointer<UInt8>) -> Bool {
        for index in 0..<filledRowCount {
            let start = source + index * layout.rowStride
            let row = SampleFilter.Row(
                bytes: start + 1,
                above: UnsafePointer(start + 1 - layout.rowStride),
                count: layout.rowByteCount,
                distance: layout.filterDistance
            )
            guard SampleFilter.undo(start.pointee, row) else { return false }
            expansion.expand(row.bytes, into: rows + (index + 1) * layout.size.width)
        }
        return true
    }

    // MARK: - RGB and RGBA

    @inline(__always)
    private func undo(_ source: UnsafeMutablePointer<UInt8>, byteCount: Int) -> Bool {
        var index = 0
        while index < filledRowCount {
            let number = source[index * layout.rowStride]
            let hasPair = number == 4 && index + 1 < filledRowCount
            if hasPair, source[(index + 1) * layout.rowStride] == 4 {
                undoPair(source, index: index, byteCount: byteCount)
                index += 2
                continue
            }
            guard undo(number, row(source, index), byteCount: byteCount) else { return false }
            index += 1
        }
        if let hole = layout.transparentColor { makeTransparent(hole) }
        return true
    }

    private func row(_ source: UnsafeMutablePointer<UInt8>, _ index: Int) -> PixelFilter.Row {
        PixelFilter.Row(
            source: UnsafePointer(source + index * layout.rowStride + 1),
            above: UnsafePointer(rows + index * layout.size.width),
            output: rows + (index + 1) * layout.size.width
        )
    }

    @inline(__always)
    private func undo(_ number: UInt8, _ row: PixelFilter.Row, byteCount: Int) -> Bool {
        let count = layout.size.width
        switch number {
        case 0: PixelFilter.none(row, count: count, byteCount: byteCount)
        case 1: PixelFilter.sub(row, count: count, byteCount: byteCount)
        case 2: PixelFilter.up(row, count: count, byteCount: byteCount)
        case 3: PixelFilter.average(row, count: count, byteCount: byteCount)
        case 4: PixelFilter.paeth(row, count: count, byteCount: byteCount)
        default: return false
        }
        return true
    }

    @inline(__always)
    private func undoPair(
        _ source: UnsafeMutablePointer<UInt8>,
        index: Int,
        byteCount: Int
    ) {
        PixelFilter.paethPair(
            row(source, index),
            row(source, index + 1),
            count: layout.size.width,
            byteCount: byteCount
        )
    }

    /// Makes pixels of `color` transparent.
    ///
    /// Later rows are predicted from these pixels. Changing their alpha is safe, because the rows
    /// of an image with three samples per pixel contain no alpha.
    private func makeTransparent(_ color: SIMD4<UInt16>) {
        let hole =
            UInt32(color.x & 0xFF) | UInt32(color.y & 0xFF) << 8 | UInt32(color.z & 0xFF) << 16
        let start = rows + layout.size.width
        for index in 0..<layout.size.width * filledRowCount where start[index] & 0xFF_FFFF == hole {
            start[index] = hole
        }
    }
}
