/// A Huffman code from a DHT segment (ITU-T T.81, annex C).
struct HuffmanCode: Equatable {
    /// For each code length, the smallest 16-bit value that starts with neither a code of this
    /// length nor a shorter code.
    private var limits = [UInt32](repeating: 0, count: 17)
    /// For each code length, the difference between the index of a symbol and its code.
    private var bases = [Int](repeating: 0, count: 17)
    /// The number of codes of each length; index 0 is always 0.
    private let counts: [Int]
    private let symbols: [UInt8]

    /// Creates a code; returns nil if libjpeg would reject the code.
    ///
    /// `counts` contains the number of codes of each length from 1 to 16.
    init?(counts: [Int], symbols: [UInt8]) {
        guard counts.count == 16, counts.reduce(0, +) == symbols.count else { return nil }
        self.symbols = symbols
        self.counts = [0] + counts
        var code = 0
        var index = 0
        for length in 1...16 {
            bases[length] = index - code
            index += counts[length - 1]
            code += counts[length - 1]
            // A code that consists only of ones is invalid.
            guard code < 1 << length else { return nil }
            limits[length] = UInt32(code << (16 - length))
            code <<= 1
        }
    }

    /// Whether each symbol is a valid bit count for a DC difference in an 8-bit image.
    var isUsableForDC: Bool { symbols.allSatisfy { $0 <= DCDifference.maximumSize } }

    /// Calls `body` for each code of up to `longest` bits, in ascending order.
    ///
    /// If each code is extended with all possible bits to a fixed length, the resulting numbers
    /// have no gaps between them.
    @inline(__always)
    func forEach(upTo longest: Int, _ body: (_ length: Int, _ symbol: UInt8) -> Void) {
        var index = 0
        for (length, count) in counts.prefix(longest + 1).enumerated() {
            for symbol in symbols[index..<index + count] { body(length, symbol) }
            index += count
        }
    }

    /// Returns the code in the highest bits of `window`, or nil if no code matches.
    func first(in window: UInt32) -> (length: Int, symbol: UInt8)? {
        let window = window >> 16
        for length in 1...16 where window < limits[length] {
            let index = Int(window >> UInt32(16 - length)) + bases[length]
            return symbols.indices.contains(index) ? (length, symbols[index]) : nil
        }
        return nil
    }
}

/// The coding of the differences between DC values (T.81, F.1.2.1).
///
/// A Huffman code contains the number of magnitude bits that follow. A table has an entry for each
/// window of `windowBitCount` bits. If the window contains both the code and the magnitude bits,
/// the entry is the difference itself. Otherwise, the entry is at least `escape`. If the window
/// contains at least the code, the entry is `escape` plus the number of magnitude bits (in the
/// lowest 4 bits) and the length of the code (above them).
enum DCDifference {
    /// The maximum number of magnitude bits in an image with 8 bits per sample.
    static let maximumSize = 11
    static let windowBitCount = 10
    static let entryCount = 1 << windowBitCount

    /// The entry for a window that contains no complete code; greater than every difference.
    static let escape: Int16 = 1 << 14

    /// Fills `table` with the entries of all windows of `windowBitCount` bits.
    static func fillTable(_ table: UnsafeMutablePointer<Int16>, of code: HuffmanCode) {
        var target = table
        code.forEach(upTo: windowBitCount) { length, symbol in
            let size = Int(symbol)
            guard length + size <= windowBitCount else {
                let count = 1 << (windowBitCount - length)
                target.update(repeating: escape | Int16(length << 4 | size), count: count)
                return target += count
            }
            let count = 1 << (windowBitCount - length - size)
            for magnitude in 0..<1 << size {
                let value = value(ofMagnitude: magnitude, size: size)
                target.update(repeating: Int16(truncatingIfNeeded: value), count: count)
                target += count
            }
        }
        target.update(repeating: escape, count: table + entryCount - target)
    }

    /// Returns the difference at the start of `word`, or nil if no code matches.
    ///
    /// `entry` is the table entry for `word`.
    static func value(in word: UInt32, entry: Int16, code: HuffmanCode) -> Int? {
        guard entry >= escape else { return Int(entry) }
        let packed = Int(entry & ~escape)
        var (length, size) = (packed >> 4, packed & 15)
        if packed == 0 {
            guard let first = code.first(in: word) else { return nil }
            (length, size) = (first.length, Int(first.symbol))
        }
        let magnitude = ((UInt64(word) << 32) << UInt64(length)) >> UInt64(64 - size)
        return value(ofMagnitude: Int(magnitude), size: size)
    }

    /// Returns the difference for `size` magnitude bits (T.81, F.2.2.1).
    ///
    /// If the first bit is 0, the difference is negative. If there are no bits, the difference is
    /// 0.
    private static func value(ofMagnitude bits: Int, size: Int) -> Int {
        bits >> max(0, size - 1) == 0 ? bits + 1 - (1 << size) : bits
    }
}
