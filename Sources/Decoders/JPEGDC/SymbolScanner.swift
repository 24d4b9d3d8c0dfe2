/// A scanner that skips the symbols of a scan and stores the first 32 bits of each block.
///
/// Nearly all of the decoding time is spent in this type. The number of table entries per block is
/// practically random, so in a loop over the entries of one block, the processor would mispredict
/// the end of the loop. Each misprediction costs as much time as two entries. Therefore, a single
/// loop runs over the entries of all blocks. The changes at the end of a block are made with bit
/// masks, because the compiler would turn a choice between two values into a branch again.
struct SymbolScanner {
    private(set) var bits: BitReader
    private var stateStart: UnsafeRawPointer
    private var table: UnsafeRawPointer
    /// The location at which the first 32 bits of the current block are stored.
    private(set) var prefix: UnsafeMutablePointer<UInt32>
    private var prefixBits: UInt32 = 0
    /// The number of coefficients of the current block that have been skipped.
    private(set) var coefficientCount = 0
    /// All ones at the start of a block, otherwise 0.
    private var blockStartMask = -1

    /// Creates a scanner at the start of an MCU.
    ///
    /// `last` is the state of the last block in the MCU.
    init(
        bits: BitReader,
        last: UnsafePointer<MCUBlockState>,
        prefixes: UnsafeMutablePointer<UInt32>
    ) {
        self.bits = bits
        stateStart = UnsafeRawPointer(last) + last.pointee.nextStateOffset
        table = last.pointee.acTable + last.pointee.nextDCTableOffset
        prefix = prefixes
    }

    /// The state of the current block.
    var state: UnsafePointer<MCUBlockState> {
        @inline(__always) get { stateStart.assumingMemoryBound(to: MCUBlockState.self) }
    }

    /// Replaces the bit reader; called after its data has been moved in memory.
    mutating func move(to bits: BitReader) { self.bits = bits }

    @inline(__always)
    mutating func refill() { bits.refill() }

    /// Skips the symbols of one table entry; returns false if the entry is invalid.
    ///
    /// The bits for two entries must be available.
    @inline(__always)
    mutating func scan() -> Bool { scan(entry()) }

    /// Skips the symbols of one table entry and refills the reader at the same time.
    ///
    /// The entry is read before the refill: after two entries, at least one complete window
    /// remains.
    @inline(__always)
    mutating func refillAndScan() -> Bool {
        let entry = entry()
        bits.refill()
        return scan(entry)
    }

    @inline(__always)
    private func entry() -> Int {
        let window = Int(bits.window &>> UInt64(64 &- MultiSymbolTable.windowBitCount))
        return Int(table.load(fromByteOffset: window &* 2, as: Int16.self))
    }

    @inline(__always)
    private mutating func scan(_ entry: Int) -> Bool {
        let mask = UInt32(truncatingIfNeeded: blockStartMask)
        prefixBits ^= (prefixBits ^ bits.word) & mask
        prefix.pointee = prefixBits
        return pass(entry)
    }

    /// Skips the symbols of `entry`; if the block would overflow, changes nothing and returns
    /// false.
    @inline(__always)
    mutating func pass(_ entry: Int) -> Bool {
        let count = coefficientCount &+ entry &>> 6
        guard count & 0xC0 == 0 else { return false }
        bits.drop(entry)
        blockStartMask = entry &>> 63
        table = state.pointee.acTable + (state.pointee.nextDCTableOffset & blockStartMask)
        stateStart += state.pointee.nextStateOffset & blockStartMask
        coefficientCount = count & ~blockStartMask
        prefix -= blockStartMask
        return true
    }
}

/// The scanner's data for one block of an MCU.
///
/// The states of an MCU's blocks form a ring.
struct MCUBlockState {
    /// The table of the block's AC symbols.
    let acTable: UnsafeRawPointer
    /// The distance in bytes from `acTable` to the table for the start of the next block.
    let nextDCTableOffset: Int
    /// The distance in bytes from this state to the next.
    let nextStateOffset: Int
    /// The index of the block's set of codes and tables in `HuffmanTables`.
    let tableSet: Int

    /// Returns the states of the blocks of an MCU, in memory that the caller must deallocate.
    ///
    /// `entries` contains the table entries of `layout.huffmanTables`.
    static func ring(
        of layout: DCScanLayout,
        entries: UnsafePointer<Int16>
    ) -> UnsafeMutablePointer<MCUBlockState> {
        let sets = layout.parts.flatMap { part in part.blocks.map { _ in part.tableSet } }
        let states = UnsafeMutablePointer<MCUBlockState>.allocate(capacity: sets.count)
        for (index, set) in sets.enumerated() {
            let next = (index + 1) % sets.count
            let ac = HuffmanTables.acTable(set)
            let entryCount = HuffmanTables.dcTable(sets[next]) - ac
            (states + index).initialize(
                to: MCUBlockState(
                    acTable: UnsafeRawPointer(entries + ac),
                    nextDCTableOffset: entryCount * MemoryLayout<Int16>.stride,
                    nextStateOffset: (next - index) * MemoryLayout<MCUBlockState>.stride,
                    tableSet: set
                )
            )
        }
        return states
    }
}
