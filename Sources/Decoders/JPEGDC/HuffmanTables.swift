/// A Huffman table in which one entry skips several symbols of a block.
///
/// An entry contains all complete codes in a window of 12 bits. It is packed into 16 bits, so the
/// tables of luma and chroma fit into the first-level cache together:
///
///     bits 0-5   number of bits of the codes and of the magnitudes after them
///     bits 6-13  number of coefficients skipped; the end of the block counts as none
///     bit  15    the block ends with the last symbol
///
/// The number of coefficients before an entry plus the number that it skips is at most 255 in any
/// file (63 before, and 12 codes of at least one bit that skip at most 16 each). If the sum is 64
/// or more, the entry cannot be used: the block's last coefficient is reached within the entry, or
/// the window contains no complete code.
enum MultiSymbolTable {
    static let windowBitCount = 12
    static let entryCount = 1 << windowBitCount
    /// The maximum number of magnitude bits of a symbol in an entry.
    ///
    /// The value is sufficient for 8 bits per sample, and small enough that two entries and the
    /// window of a third entry fit into 56 bits.
    private static let maximumSize = 10
    /// The entry for a window of 12 bits that contains no complete code.
    static let none: Int16 = 128 << 6

    static let lastBit = Int16.min

    /// Returns the entry for one AC symbol RRRRSSSS (T.81, F.1.2.2.1).
    ///
    /// The number of bits in the entry does not include the symbol's code; the caller adds its
    /// length.
    @inline(__always)
    static func ofAC(_ symbol: UInt8) -> Int16 {
        let (run, size) = (Int16(symbol >> 4), Int16(symbol & 15))
        return size == 0 && run != 15 ? lastBit : size | (run + 1) << 6
    }

    /// Returns the entry for a DC symbol.
    ///
    /// The number of bits in the entry does not include the symbol's code; the caller adds its
    /// length.
    @inline(__always)
    static func ofDC(_ symbol: UInt8, isAlone: Bool) -> Int16 {
        Int16(symbol) | 1 << 6 | (isAlone ? lastBit : 0)
    }

    /// Returns the entry for one symbol that follows `coefficientCount` coefficients.
    ///
    /// If the symbol reaches the end of the block, the returned entry ends the block and has a
    /// coefficient count of 0.
    static func ending(_ entry: Int, coefficientCount: Int) -> Int {
        coefficientCount + entry >> 6 == 64 ? entry & 63 | Int(lastBit) : entry
    }

    /// Fills one table for each window length from 0 to 12 bits.
    ///
    /// The table for windows of `n` bits starts at index `1 << n`, so the table for 12 bits is the
    /// second half of `tables`. The bits after the first symbol of a window form a shorter window,
    /// whose table has already been filled, so each entry needs only one addition, regardless of
    /// the number of symbols that it skips.
    static func fillAC(_ tables: UnsafeMutablePointer<Int16>, of code: HuffmanCode) {
        tables[0] = 0
        for bitCount in 0...windowBitCount {
            fill(
                tables + (1 << bitCount),
                bitCount: bitCount,
                code: code,
                rests: tables,
                entry: ofAC
            )
        }
    }

    /// Fills a table in which an entry skips a DC symbol and the AC symbols after it.
    ///
    /// `fillAC` must have filled `tables`. If the scan has no AC symbols, `tables` is nil.
    static func fillDC(
        _ table: UnsafeMutablePointer<Int16>,
        of code: HuffmanCode,
        ac tables: UnsafeMutablePointer<Int16>?
    ) {
        fill(table, bitCount: windowBitCount, code: code, rests: tables ?? table) {
            ofDC($0, isAlone: tables == nil)
        }
    }

    @inline(__always)
    private static func fill(
        _ table: UnsafeMutablePointer<Int16>,
        bitCount: Int,
        code: HuffmanCode,
        rests: UnsafeMutablePointer<Int16>,
        entry: (UInt8) -> Int16
    ) {
        let missing = bitCount == windowBitCount ? none : 0
        var target = table
        code.forEach(upTo: bitCount) { length, symbol in
            let end = target + (1 << (bitCount - length))
            let entry = entry(symbol) &+ Int16(truncatingIfNeeded: length)
            let isMissing = Int(entry & 63) - length > maximumSize
            let rest = bitCount - Int(entry & 63)
            guard !isMissing, entry & lastBit == 0, rest > 0 else {
                target.update(repeating: isMissing ? missing : entry, count: end - target)
                return target = end
            }
            let tail = rests + (1 << rest)
            while target < end {
                for index in 0..<1 << rest { target[index] = tail[index] &+ entry }
                target += 1 << rest
            }
        }
        target.update(repeating: missing, count: table + (1 << bitCount) - target)
    }
}

/// The Huffman codes of a scan and their tables.
///
/// Each pair of codes has one set of tables. All sets are in one array, so one pointer gives access
/// to all of them.
struct HuffmanTables {
    /// The codes of a component; `ac` is nil if the scan has no AC symbols.
    struct Codes: Equatable {
        let dc: HuffmanCode
        let ac: HuffmanCode?
    }

    /// The Huffman codes of each set of tables.
    private(set) var codes: [Codes] = []
    /// The entries of all sets of tables; each set has `setCount` entries.
    private(set) var entries: [Int16] = []

    private static let dcStart = 2 * MultiSymbolTable.entryCount
    private static let differenceStart = dcStart + MultiSymbolTable.entryCount
    private static let setCount = differenceStart + DCDifference.entryCount

    /// Returns the index of the set of tables for `codes`; creates the set on first use.
    mutating func set(of codes: Codes) -> Int {
        if let index = self.codes.firstIndex(of: codes) { return index }
        self.codes.append(codes)
        entries += Self.made(of: codes)
        return self.codes.count - 1
    }

    /// Returns the index in `entries` of the table that `SymbolScanner` uses for AC symbols.
    static func acTable(_ set: Int) -> Int { set * setCount + MultiSymbolTable.entryCount }

    /// Returns the index in `entries` of the table that `SymbolScanner` uses at the start of a
    /// block.
    static func dcTable(_ set: Int) -> Int { set * setCount + dcStart }

    /// Returns the index in `entries` of the table filled by `DCDifference`.
    static func differenceTable(_ set: Int) -> Int { set * setCount + differenceStart }

    private static func made(of codes: Codes) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: setCount) { entries, count in
            count = setCount
            guard let start = entries.baseAddress else { return }
            if let ac = codes.ac { MultiSymbolTable.fillAC(start, of: ac) }
            MultiSymbolTable.fillDC(start + dcStart, of: codes.dc, ac: codes.ac.map { _ in start })
            DCDifference.fillTable(start + differenceStart, of: codes.dc)
        }
    }
}
