internal import CImageCodecs

/// All rows of a PNG, inflated at once: owns the memory.
struct PNGInflatedRows: PNGRowSource, ~Copyable {
    private let memory: UnsafeMutablePointer<UInt8>
    private let stride: Int
    private var rowsTaken = 0

    /// Inflates `data`; nil unless they are exactly the rows of `layout` and nothing else.
    init?(_ data: PNGImageData, layout: PNGLayout) {
        stride = layout.rowStride
        let rowsByteCount = layout.byteCount
        let rowAbove = layout.rowStride
        memory = .allocate(capacity: rowAbove + rowsByteCount + PNGLayout.marginByteCount)
        // Above the first row, zeros.
        memory.initialize(repeating: 0, count: rowAbove)
        let rows = memory + rowAbove
        (rows + rowsByteCount).initialize(repeating: 0, count: PNGLayout.marginByteCount)
        let isComplete = data.withStream { stream in
            guard let start = stream.baseAddress, let first = stream.first,
                PNGImageData.windowCovers(rowsByteCount, header: first)
            else { return false }
            return cic_inflate(start, stream.count, rows, rowsByteCount)
        }
        guard isComplete else { return nil }
    }

    deinit { memory.deallocate() }

    /// The bytes held for rows of `layout`, inflated from `data`.
    static func byteCount(_ data: PNGImageData, layout: PNGLayout) -> Int {
        layout.byteCount
            .saturatingAdd(layout.rowStride + PNGLayout.marginByteCount + data.copyByteCount)
    }

    mutating func next(rowCount: Int) -> UnsafeMutablePointer<UInt8>? {
        rowsTaken += rowCount
        return memory + stride * (rowsTaken - rowCount + 1)
    }

    /// No other bytes than those of the rows were inflated.
    func isAtEnd() -> Bool { true }
}
