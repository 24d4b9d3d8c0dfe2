internal import CImageCodecs

/// A source of the stored rows of a PNG, from top to bottom.
protocol PNGRowSource: ~Copyable {
    /// Returns the next `rowCount` rows without gaps, each preceded by its filter number.
    ///
    /// Returns nil if the data is invalid. The result is valid until the next call. The memory
    /// before the returned rows contains the row above, including any changes made by the caller.
    mutating func next(rowCount: Int) -> UnsafeMutablePointer<UInt8>?

    /// Returns whether the data ends after the last row, which must have been read.
    mutating func isAtEnd() -> Bool
}

/// All rows of a PNG, inflated at once into memory that this value owns.
struct PNGInflatedRows: PNGRowSource, ~Copyable {
    private let memory: UnsafeMutablePointer<UInt8>
    private let stride: Int
    private var rowsTaken = 0

    /// Inflates `data`; returns nil unless `data` contains exactly the rows of `layout`.
    init?(_ data: PNGImageData, layout: PNGLayout) {
        stride = layout.rowStride
        let rowsByteCount = layout.byteCount
        let rowAbove = layout.rowStride
        memory = .allocate(capacity: rowAbove + rowsByteCount + PNGLayout.marginByteCount)
        // The row above the first row is zero.
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

    /// Returns the memory, in bytes, needed to inflate the rows of `layout` from `data`.
    static func byteCount(_ data: PNGImageData, layout: PNGLayout) -> Int {
        layout.byteCount
            .saturatingAdd(layout.rowStride + PNGLayout.marginByteCount + data.copyByteCount)
    }

    mutating func next(rowCount: Int) -> UnsafeMutablePointer<UInt8>? {
        rowsTaken += rowCount
        return memory + stride * (rowsTaken - rowCount + 1)
    }

    /// Returns true, because the initializer fails if the data does not end after the last row.
    func isAtEnd() -> Bool { true }
}

/// The rows of a PNG, inflated a few at a time.
///
/// This type is used for images that are too large to inflate at once. The rows are inflated by
/// zlib, because libdeflate cannot inflate parts of a stream.
struct PNGStreamedRows: PNGRowSource, ~Copyable {
    private let data: PNGImageData
    private let layout: PNGLayout
    private let inflater: OpaquePointer
    /// The row above the returned rows, the returned rows, and the margin after them.
    private let memory: UnsafeMutablePointer<UInt8>
    private var rowsHeld = 0
    private var offset = 0
    private var input: UnsafeBufferPointer<UInt8>
    private var isComplete = false

    /// Creates a source that returns up to `rowCapacity` rows at a time.
    ///
    /// Returns nil if the data is damaged, if memory runs out, or if libpng might reject a stream
    /// that this source accepts.
    init?(_ data: PNGImageData, layout: PNGLayout, rowCapacity: Int) {
        var offset = 0
        // Finds the first chunk with data, which contains the first byte of the stream.
        var input = data.intactData(at: &offset)
        while let empty = input, empty.isEmpty { input = data.intactData(at: &offset) }
        guard let input, let first = input.first,
            PNGImageData.windowCovers(layout.byteCount, header: first),
            let inflater = cic_inflater_create()
        else { return nil }
        self.data = data
        self.layout = layout
        self.inflater = inflater
        self.offset = offset
        self.input = input
        let byteCount = Self.byteCount(layout: layout, rowCapacity: rowCapacity)
        memory = .allocate(capacity: byteCount)
        memory.initialize(repeating: 0, count: byteCount)
    }

    deinit {
        cic_inflater_destroy(inflater)
        memory.deallocate()
    }

    /// Returns the memory, in bytes, for rows of `layout`, excluding zlib's window.
    static func byteCount(layout: PNGLayout, rowCapacity: Int) -> Int {
        layout.rowStride.saturatingMultiply(by: rowCapacity + 1)
            .saturatingAdd(PNGLayout.marginByteCount)
    }

    mutating func next(rowCount: Int) -> UnsafeMutablePointer<UInt8>? {
        let rowStride = layout.rowStride
        memory.update(from: memory + rowStride * rowsHeld, count: rowStride)
        rowsHeld = rowCount
        let rows = memory + rowStride
        return inflate(into: rows, count: rowStride * rowCount) ? rows : nil
    }

    mutating func isAtEnd() -> Bool {
        // Tries to inflate one more byte, which must fail.
        guard isComplete || !inflate(into: memory, count: 1), isComplete else { return false }
        while input.isEmpty, let next = data.intactData(at: &offset) { input = next }
        return input.isEmpty && offset == data.end
    }

    /// Inflates `count` bytes; returns false if the stream contains fewer bytes.
    private mutating func inflate(into output: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
        var (output, outputCount) = (output, count)
        while outputCount > 0 {
            while input.isEmpty {
                guard let next = data.intactData(at: &offset) else { return false }
                input = next
            }
            guard !isComplete, let start = input.baseAddress else { return false }
            var inflation = cic_inflation(
                input: start,
                input_count: input.count,
                output: output,
                output_count: outputCount
            )
            let status = cic_inflater_continue(inflater, &inflation)
            input = UnsafeBufferPointer(start: inflation.input, count: inflation.input_count)
            (output, outputCount) = (inflation.output, inflation.output_count)
            isComplete = status == .end
            guard status != .corrupt else { return false }
        }
        return true
    }
}
