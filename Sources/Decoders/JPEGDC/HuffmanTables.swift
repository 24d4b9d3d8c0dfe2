/// A Huffman table of which one entry passes several symbols of a block: as many as a window of 12
/// bits holds whole codes of.
///
/// An entry is packed into 16 bits, so that the tables of luma and chroma fit into the first-level
/// cache together:
///
///     bits 0-5   the bits of the codes and of the magnitudes behind them
///     bits 6-13  the coefficients passed; the end of the block counts as none
///     bit  15    the block ends with the last symbol
///
/// The sum of the coefficients before an entry and those it passes is below 256 whatever the file
/// says (63 before, 12 codes of at least one bit that pass at most 16 each), and from 64 on says
/// that the entry does not count: the block ended on the way, or no whole code is in the window.
enum MultiSymbolTable {
    /// The bits of a window.
    static let windowBitCount = 12
    /// The entries of a table.
    static let entryCount = 1 << windowBitCount
    /// The most bits of magnitude a symbol in an entry has: all that 8 bits a sample need, and so
    /// few that two entries and the window of a third have room in 56 bits.
    private static let maximumSize = 10
    /// The entry of a window without a whole code.
    static let none: Int16 = 128 << 6

    static let lastBit = Int16.min

    /// The entry of one AC symbol RRRRSSSS (T.81, F.1.2.2.1), without the bits of its code.
    @inline(__always)
    static func ofAC(_ symbol: UInt8) -> Int16 {
        let (run, size) = (Int16(symbol >> 4), Int16(symbol & 15))
        return size == 0 && run != 15 ? lastBit : size | (run + 1) << 6
    }

    /// The entry of a DC symbol, without the bits of its code.
    @inline(__always)
    static func ofDC(_ symbol: UInt8, isAlone: Bool) -> Int16 {
        Int16(symbol) | 1 << 6 | (isAlone ? lastBit : 0)
    }

    /// The entry of one symbol as it counts behind `coefficientCount` coefficients: the last one of all
    /// ends the block, and has to pass none to do so.
    static func ending(_ entry: Int, coefficientCount: Int) -> Int {
        coefficientCount + entry >> 6 == 64 ? entry & 63 | Int(lastBit) : entry
    }

    /// Fills a table for windows of each number of bits from 0 to 12: that of `n` bits starts at
    /// index 1 << n, so that the last one has the second half of `tables`.
    ///
    /// What a window holds behind its first symbol is a shorter window, whose table is there
    /// already: an entry costs one addition, however many symbols it passes.
    static func fillAC(_ tables: UnsafeMutablePointer<Int16>, of code: HuffmanCode) {
        tables[0] = 0
        for bitCount in 0...windowBitCount {
            fill(tables + (1 << bitCount), bitCount, code, rests: tables, entry: ofAC)
        }
    }

    /// Fills a table for DC symbols and the AC symbols behind them, whose tables `fillAC` has made;
    /// nil if there are none.
    static func fillDC(
        _ table: UnsafeMutablePointer<Int16>,
        of code: HuffmanCode,
        ac tables: UnsafeMutablePointer<Int16>?
    ) {
        fill(table, windowBitCount, code, rests: tables ?? table) {
            ofDC($0, isAlone: tables == nil)
        }
    }

    @inline(__always)
    private static func fill(
        _ table: UnsafeMutablePointer<Int16>,
        _ bitCount: Int,
        _ code: HuffmanCode,
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

/// The Huffman codes of a scan and their tables: one set for each pair of codes, one behind the
/// other in one array, so that one pointer reaches all of them.
struct HuffmanTables {
    /// The codes of a component; without AC where a scan has none.
    struct Codes: Equatable {
        let dc: HuffmanCode
        let ac: HuffmanCode?
    }

    /// The codes of the sets.
    private(set) var codes: [Codes] = []
    /// The sets, `setCount` entries each.
    private(set) var entries: [Int16] = []

    private static let dcStart = 2 * MultiSymbolTable.entryCount
    private static let differenceStart = dcStart + MultiSymbolTable.entryCount
    private static let setCount = differenceStart + DCDifference.entryCount

    /// The index of the set of `codes`, which is made if there is none.
    mutating func set(of codes: Codes) -> Int {
        if let index = self.codes.firstIndex(of: codes) { return index }
        self.codes.append(codes)
        entries += Self.made(of: codes)
        return self.codes.count - 1
    }

    /// Where the scanner's table of AC symbols starts in `entries`.
    static func acTable(_ set: Int) -> Int { set * setCount + MultiSymbolTable.entryCount }

    /// Where the scanner's table for the start of a block starts.
    static func dcTable(_ set: Int) -> Int { set * setCount + dcStart }

    /// Where the table of `DCDifference` starts.
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
