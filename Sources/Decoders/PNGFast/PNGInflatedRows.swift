internal import CImageCodecs

/// All rows of a PNG, inflated at once: owns the memory.
struct PNGInflatedRows: ~Copyable {
    /// Rows are read four bytes at a time.
    private static let marginByteCount = 8

    private let memory: UnsafeMutablePointer<UInt8>
    private let stride: Int

    /// Inflates `data`; nil unless they are exactly the rows of `layout` and nothing else.
    init?(_ data: PNGImageData, layout: PNGLayout) {
        stride = layout.rowStride
        let rowsByteCount = layout.byteCount
        let rowAbove = layout.rowStride
        memory = .allocate(capacity: rowAbove + rowsByteCount + Self.marginByteCount)
        // Above the first row, zeros.
        memory.initialize(repeating: 0, count: rowAbove)
        let rows = memory + rowAbove
        (rows + rowsByteCount).initialize(repeating: 0, count: Self.marginByteCount)
        let isComplete = data.withStream { stream in
            guard let start = stream.baseAddress, let first = stream.first,
                Self.windowCovers(rowsByteCount, header: first)
            else { return false }
            return cic_inflate(start, stream.count, rows, rowsByteCount)
        }
        guard isComplete else { return nil }
    }

    deinit { memory.deallocate() }

    /// The bytes held for rows of `layout`, inflated from `data`.
    static func byteCount(_ data: PNGImageData, layout: PNGLayout) -> Int {
        layout.byteCount.saturatingAdd(layout.rowStride + marginByteCount + data.copyByteCount)
    }

    /// Where row `index` starts, with its filter's number; the one above stands before it.
    func start(of index: Int) -> UnsafeMutablePointer<UInt8> { memory + stride * (index + 1) }

    /// Whether distances can't reach back further than the stream says (RFC 1950, CINFO): zlib
    /// refuses those that do, libdeflate doesn't look.
    private static func windowCovers(_ byteCount: Int, header: UInt8) -> Bool {
        let windowBitCount = Int(header >> 4) + 8
        return windowBitCount >= 15 || byteCount <= 1 << windowBitCount
    }
}
