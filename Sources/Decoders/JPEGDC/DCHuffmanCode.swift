/// A Huffman code as DHT gives it (ITU-T T.81, annex C).
struct DCHuffmanCode: Equatable {
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
