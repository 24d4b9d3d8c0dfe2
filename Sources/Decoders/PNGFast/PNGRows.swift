internal import CImageCodecs

/// Hands out the stored rows of a PNG from top to bottom.
protocol PNGRowSource: ~Copyable {
    /// The next `rowCount` rows, one after the other, each behind its filter's number; nil if the
    /// data are not in order.
    ///
    /// Valid until the next call. The row above the first stands before it, as its user left it.
    mutating func next(rowCount: Int) -> UnsafeMutablePointer<UInt8>?

    /// Whether the data end where the rows do; to be asked after the last of them.
    mutating func isAtEnd() -> Bool
}

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

/// The rows of a PNG, inflated a few at a time: for pictures too large to hold.
///
/// By zlib, because libdeflate has no part of a stream.
struct PNGStreamedRows: PNGRowSource, ~Copyable {
    private let data: PNGImageData
    private let layout: PNGLayout
    private let inflater: OpaquePointer
    /// A row, the rows handed out, the margin.
    private let memory: UnsafeMutablePointer<UInt8>
    private var rowsHeld = 0
    private var offset = 0
    private var input: UnsafeBufferPointer<UInt8>
    private var isComplete = false

    /// Makes a source of up to `rowCapacity` rows at a time; nil if the stream is one that zlib and
    /// libpng may see differently, or there is no memory.
    init?(_ data: PNGImageData, layout: PNGLayout, rowCapacity: Int) {
        var offset = 0
        // The first byte, in the first chunk that has any.
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

    /// The bytes held for rows of `layout`, zlib's window left out.
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
        // Room that must not be used.
        guard isComplete || !inflate(into: memory, count: 1), isComplete else { return false }
        while input.isEmpty, let next = data.intactData(at: &offset) { input = next }
        return input.isEmpty && offset == data.end
    }

    /// Whether the stream has so many more bytes.
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
