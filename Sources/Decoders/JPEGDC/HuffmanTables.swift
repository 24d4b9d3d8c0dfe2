/// Look-ups for walking over the symbols of a block, as many at once as a window of 12 bits holds
/// whole codes of.
///
/// An entry is packed into 16 bits, so that the tables of luma and chroma fit into the first-level
/// cache together:
///
///     bits 0-5   the bits of the codes and of the magnitudes behind them
///     bits 6-13  the coefficients passed over; the end of the block counts as none
///     bit  15    the block ends with the last symbol
///
/// The sum of the coefficients before a step and those it passes is below 256 whatever the file
/// says (63 before, 12 codes of at least one bit that pass at most 16 each), and from 64 on says
/// that the step does not count: the block ended on the way, or no whole code is in the window.
enum DCSteps {
    /// The bits of a look-up.
    static let lookupBitCount = 12
    /// The entries of a look-up table.
    static let lookupCount = 1 << lookupBitCount
    /// The most bits of magnitude a symbol in a look-up has: all that a picture of 8 bits a sample
    /// needs, and so few that two look-ups and the window of a third have room in 56 bits.
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

    /// The entry of one symbol as it counts behind `passedCount` coefficients: the last one of all
    /// ends the block, and has to pass none to do so.
    static func ending(_ entry: Int, passedCount: Int) -> Int {
        passedCount + entry >> 6 == 64 ? entry & 63 | Int(lastBit) : entry
    }

    /// Fills a table for windows of each number of bits from 0 to 12: that of `n` bits starts at
    /// index 1 << n, so that the last one has the second half of `tables`.
    ///
    /// What a window holds behind its first symbol is a shorter window, whose table is there
    /// already: an entry costs one addition, however many symbols it passes.
    static func fillAC(_ tables: UnsafeMutablePointer<Int16>, of code: DCHuffmanCode) {
        tables[0] = 0
        for bitCount in 0...lookupBitCount {
            fill(tables + (1 << bitCount), bitCount, code, rests: tables, entry: ofAC)
        }
    }

    /// Fills a table for DC symbols and the AC symbols behind them, whose tables `fillAC` has made;
    /// nil if there are none.
    static func fillDC(
        _ table: UnsafeMutablePointer<Int16>,
        of code: DCHuffmanCode,
        ac tables: UnsafeMutablePointer<Int16>?
    ) {
        fill(table, lookupBitCount, code, rests: tables ?? table) {
            ofDC($0, isAlone: tables == nil)
        }
    }

    @inline(__always)
    private static func fill(
        _ table: UnsafeMutablePointer<Int16>,
        _ bitCount: Int,
        _ code: DCHuffmanCode,
        rests: UnsafeMutablePointer<Int16>,
        entry: (UInt8) -> Int16
    ) {
        let missing = bitCount == lookupBitCount ? none : 0
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

/// The codes of a scan and their look-up tables, one set for each pair of codes, one behind the
/// other.
struct DCLookups {
    /// The codes of a component; without AC where a scan has none.
    struct Codes: Equatable {
        let dc: DCHuffmanCode
        let ac: DCHuffmanCode?
    }

    /// The codes of the sets.
    private(set) var codes: [Codes] = []
    /// The sets, `setCount` entries each.
    private(set) var entries: [Int16] = []

    private static let dcStart = 2 * DCSteps.lookupCount
    private static let differenceStart = dcStart + DCSteps.lookupCount
    private static let setCount = differenceStart + DCDifference.lookupCount

    /// The index of the set of `codes`, which is made if there is none.
    mutating func set(of codes: Codes) -> Int {
        if let index = self.codes.firstIndex(of: codes) { return index }
        self.codes.append(codes)
        entries += Self.made(of: codes)
        return self.codes.count - 1
    }

    /// Where the walk's look-ups for AC symbols start in `entries`.
    static func walkAC(_ set: Int) -> Int { set * setCount + DCSteps.lookupCount }

    /// Where the walk's look-ups for the beginning of a block start.
    static func walkDC(_ set: Int) -> Int { set * setCount + dcStart }

    /// Where the look-ups of `DCDifference` start.
    static func difference(_ set: Int) -> Int { set * setCount + differenceStart }

    private static func made(of codes: Codes) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: setCount) { entries, count in
            count = setCount
            guard let start = entries.baseAddress else { return }
            if let ac = codes.ac { DCSteps.fillAC(start, of: ac) }
            DCSteps.fillDC(start + dcStart, of: codes.dc, ac: codes.ac.map { _ in start })
            DCDifference.fillLookups(start + differenceStart, of: codes.dc)
        }
    }
}
