/// Scans the blocks of a scan symbol by symbol and keeps the first bits of each block.
///
/// Nearly all of the time is spent here. The number of table entries per block is practically
/// random, so a loop over them would be mispredicted at the end of each block, which costs as much
/// as two entries. Therefore a single loop runs over the entries of all blocks, and the changes at
/// the end of a block are masked, because the compiler would turn a choice between two values into
/// a branch again.
struct SymbolScanner {
    private(set) var bits: BitReader
    private var stateStart: UnsafeRawPointer
    private var table: UnsafeRawPointer
    /// The location for the first 32 bits of the current block.
    private(set) var prefix: UnsafeMutablePointer<UInt32>
    private var prefixBits: UInt32 = 0
    /// The number of coefficients of the current block that have been skipped.
    private(set) var coefficientCount = 0
    /// All ones at the start of a block, otherwise 0.
    private var blockStartMask = -1

    /// Creates a scanner at the first block of an MCU whose last block is `last`.
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

    /// Continues in memory that has been moved.
    mutating func move(to bits: BitReader) { self.bits = bits }

    @inline(__always)
    mutating func refill() { bits.refill() }

    /// Skips the symbols of one table entry; returns false if the entry is invalid.
    ///
    /// The reader must have enough bits available for two entries.
    @inline(__always)
    mutating func scan() -> Bool { scan(entry()) }

    /// Scans and refills at the same time, because two entries leave at least one complete window.
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

    /// Skips the symbols of `entry`; returns false and changes nothing if the block would overflow.
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

/// The scanner's data for one block of an MCU; the states of an MCU's blocks form a ring.
struct MCUBlockState {
    /// The table of the block's AC symbols.
    let acTable: UnsafeRawPointer
    /// The distance in bytes from `acTable` to the table that the next block starts with.
    let nextDCTableOffset: Int
    /// The distance in bytes from this state to the next.
    let nextStateOffset: Int
    /// The set of the block's codes and tables.
    let tableSet: Int

    /// Returns the states of the blocks of an MCU, in memory that the caller must deallocate.
    ///
    /// `entries` contains the tables of `layout`.
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
