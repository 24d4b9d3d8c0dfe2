/// A Huffman code as DHT gives it (ITU-T T.81, annex C).
struct HuffmanCode: Equatable {
    /// For each length, the first 16-bit window above its codes.
    private var limits = [UInt32](repeating: 0, count: 17)
    /// For each length, what to add to a code to get the index of its symbol.
    private var bases = [Int](repeating: 0, count: 17)
    /// How many codes each length has; index 0 stays 0.
    private let counts: [Int]
    private let symbols: [UInt8]

    /// `counts` are the numbers of codes of the lengths 1 to 16; nil where libjpeg refuses.
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
            // All ones is no code.
            guard code < 1 << length else { return nil }
            limits[length] = UInt32(code << (16 - length))
            code <<= 1
        }
    }

    /// Whether no symbol asks for more bits than the DC difference of an 8-bit picture may have.
    var isUsableForDC: Bool { symbols.allSatisfy { $0 <= DCDifference.maximumSize } }

    /// Hands out the codes of up to `longest` bits in the order of the windows that start with them,
    /// which leave no gap.
    @inline(__always)
    func forEach(upTo longest: Int, _ body: (_ length: Int, _ symbol: UInt8) -> Void) {
        var index = 0
        for (length, count) in counts.prefix(longest + 1).enumerated() {
            for symbol in symbols[index..<index + count] { body(length, symbol) }
            index += count
        }
    }

    /// The code that the topmost bits of `window` start with; nil if none does.
    func first(in window: UInt32) -> (length: Int, symbol: UInt8)? {
        let window = window >> 16
        for length in 1...16 where window < limits[length] {
            let index = Int(window >> UInt32(16 - length)) + bases[length]
            return symbols.indices.contains(index) ? (length, symbols[index]) : nil
        }
        return nil
    }
}

/// The coding of the differences between DC values (T.81, F.1.2.1): a Huffman code says how many
/// bits of magnitude follow.
///
/// An entry of its table is the difference itself where code and magnitude are in the window;
/// else `escape` and, if the code at least is, its length above 4 bits and the size below.
enum DCDifference {
    /// The most bits of magnitude in a picture of 8 bits a sample.
    static let maximumSize = 11
    /// The bits of a window.
    static let windowBitCount = 10
    /// The entries of a table.
    static let entryCount = 1 << windowBitCount

    /// Above every difference.
    static let escape: Int16 = 1 << 14

    /// Fills a table for all windows.
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

    /// The difference at the start of `word`, for which the table has `entry`; nil if there is
    /// none.
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

    /// The difference that `size` bits of magnitude stand for (T.81, F.2.2.1).
    ///
    /// A leading 0 means a negative number; no bits stand for 0.
    private static func value(ofMagnitude bits: Int, size: Int) -> Int {
        bits >> max(0, size - 1) == 0 ? bits + 1 - (1 << size) : bits
    }
}
