/// A decoder that reads the DC values of a scan and skips all other symbols.
///
/// Nine tenths of the decoding time are spent in this type, so it uses unchecked pointers. The
/// bounds are checked in advance: `layout.lastIndex` is less than the number of values, and the
/// margin after the data is larger than the number of bytes read between two comparisons with its
/// limit.
struct DCScanDecoder: ~Copyable {
    /// The number of MCU rows between two cancellation checks.
    private static let rowCountPerCheck = 8

    /// The number of MCUs that are scanned at a time; the first 32 bits of their blocks take at
    /// most 5 KB.
    private static let mcuCountAtOnce = 128

    /// Pointers to the tables and values that the decoder uses.
    ///
    /// The memory must outlive the decoder.
    struct Memory {
        let entries: UnsafePointer<Int16>
        let codes: UnsafePointer<HuffmanTables.Codes>
        let values: UnsafeMutablePointer<Int16>

        /// Creates the pointers; returns nil if a buffer is empty.
        init?(
            entries: UnsafeBufferPointer<Int16>,
            codes: UnsafeBufferPointer<HuffmanTables.Codes>,
            values: UnsafeMutableBufferPointer<Int16>
        ) {
            guard let entries = entries.baseAddress, let codes = codes.baseAddress,
                let values = values.baseAddress
            else { return nil }
            self.entries = entries
            self.codes = codes
            self.values = values
        }
    }

    private let layout: DCScanLayout
    private let memory: Memory
    private let blockStates: UnsafeMutablePointer<MCUBlockState>
    private let blockCount: Int
    private var data: EntropyCodedData
    private var bits: BitReader
    private var limit: UnsafePointer<UInt8>
    /// The first 32 bits of each scanned block.
    private let prefixes: UnsafeMutablePointer<UInt32>
    private var predictor: DCPredictor
    /// The number of rows of MCUs with complete and valid values.
    private(set) var rowCount = 0

    init(layout: DCScanLayout, memory: Memory, data: consuming EntropyCodedData) {
        self.layout = layout
        self.memory = memory
        bits = data.bits()
        limit = data.limit
        self.data = data
        blockStates = MCUBlockState.ring(of: layout, entries: memory.entries)
        blockCount = layout.blockStarts.count
        // One extra, because the scanner may write a prefix for a block after the last one.
        prefixes = .allocate(capacity: Self.mcuCountAtOnce * blockCount + 1)
        predictor = DCPredictor(layout: layout, memory: memory)
    }

    deinit {
        blockStates.deallocate()
        prefixes.deallocate()
    }

    /// Decodes the DC value of each block and stores it in `memory.values`.
    ///
    /// Returns the offset of the marker after the scan, or nil if the data is invalid.
    mutating func decode(plan: DecodingPlan) throws(ImageDecodingError) -> Int? {
        var restartCount = 0
        var mcusLeft = layout.restartInterval > 0 ? layout.restartInterval : .max
        for row in 0..<layout.rows {
            if row % Self.rowCountPerCheck == 0 { try plan.checkCancellation() }
            var column = 0
            while column < layout.columns {
                if mcusLeft == 0 {
                    guard restart(number: restartCount) else { return nil }
                    restartCount += 1
                    mcusLeft = layout.restartInterval
                }
                let end = column + min(layout.columns - column, mcusLeft, Self.mcuCountAtOnce)
                guard scan(mcuCount: end - column),
                    predictor.read(prefixes, columns: column..<end, row: row)
                else { return nil }
                mcusLeft -= end - column
                column = end
            }
            if !predictor.isExceeded, data.contains(bits) { rowCount = row + 1 }
        }
        guard !predictor.isExceeded else { return nil }
        return data.isAtEnd(bits) && data.isLastInterval ? data.offset : nil
    }

    private mutating func restart(number: Int) -> Bool {
        guard data.isAtEnd(bits), data.restart(number: number) else { return false }
        bits = data.bits()
        limit = data.limit
        predictor.restart()
        return true
    }

    // MARK: - Scanning symbols

    /// Stores the first 32 bits of each block of several MCUs in `prefixes`; returns false if the
    /// data is invalid.
    private mutating func scan(mcuCount: Int) -> Bool {
        let last = UnsafePointer(blockStates + (blockCount - 1))
        var scanner = SymbolScanner(bits: bits, last: last, prefixes: prefixes)
        let end = prefixes + mcuCount * blockCount
        scanner.refill()
        while scanner.prefix < end {
            if scanner.bits.next > limit {
                guard let moved = replenished(scanner.bits) else { return false }
                scanner.move(to: moved)
            }
            guard scanner.refillAndScan() || scanOneSymbol(&scanner) else { return false }
            guard scanner.prefix < end else { break }
            guard scanner.scan() || scanOneSymbol(&scanner) else { return false }
        }
        bits = scanner.bits
        return true
    }

    @inline(never)
    private mutating func replenished(_ bits: BitReader) -> BitReader? {
        var bits = bits
        guard data.replenish(&bits) else { return nil }
        limit = data.limit
        return bits
    }

    /// Skips one symbol; returns false if no code matches or the block would overflow.
    ///
    /// This method handles long codes, and table entries with symbols that extend into the next
    /// block.
    @inline(__always)
    private func scanOneSymbol(_ scanner: inout SymbolScanner) -> Bool {
        scanner.refill()
        let entry = Self.entry(
            word: scanner.bits.word,
            codes: memory.codes + scanner.state.pointee.tableSet,
            coefficientCount: scanner.coefficientCount
        )
        defer { scanner.refill() }
        return scanner.pass(entry)
    }

    /// Returns a table entry for the next symbol only.
    ///
    /// The function takes and returns values, because variables passed by pointer would not stay in
    /// registers.
    @inline(never)
    private static func entry(
        word: UInt32,
        codes: UnsafePointer<HuffmanTables.Codes>,
        coefficientCount: Int
    ) -> Int {
        guard coefficientCount > 0 else {
            guard let (length, symbol) = codes.pointee.dc.first(in: word) else {
                return Int(MultiSymbolTable.none)
            }
            return Int(MultiSymbolTable.ofDC(symbol, isAlone: codes.pointee.ac == nil)) + length
        }
        guard let (length, symbol) = codes.pointee.ac?.first(in: word) else {
            return Int(MultiSymbolTable.none)
        }
        let entry = Int(MultiSymbolTable.ofAC(symbol)) + length
        return MultiSymbolTable.ending(entry, coefficientCount: coefficientCount)
    }
}
