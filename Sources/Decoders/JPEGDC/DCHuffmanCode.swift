/// A Huffman code as DHT gives it (ITU-T T.81, annex C).
struct DCHuffmanCode: Equatable {
    /// For each length, the first 16-bit window above its codes.
    private var limits = [UInt32](repeating: 0, count: 17)
    /// For each length, what to add to a code to get the index of its symbol.
    private var bases = [Int](repeating: 0, count: 17)
    private let symbols: [UInt8]

    /// `counts` are the numbers of codes of the lengths 1 to 16; nil where libjpeg refuses.
    init?(counts: [Int], symbols: [UInt8]) {
        guard counts.count == 16, counts.reduce(0, +) == symbols.count else { return nil }
        self.symbols = symbols
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

    /// Whether no symbol asks for more bits than a DC difference may have.
    var isUsableForDC: Bool { symbols.allSatisfy { $0 <= 15 } }

    /// The code that the 16 bits of `window` start with; nil if none does.
    func first(in window: UInt32) -> (length: Int, symbol: UInt8)? {
        for length in 1...16 where window < limits[length] {
            let index = Int(window >> UInt32(16 - length)) + bases[length]
            return symbols.indices.contains(index) ? (length, symbols[index]) : nil
        }
        return nil
    }

    /// For each window of `bitCount` bits the code it starts with: its length, and above 8 bits its
    /// symbol; 0 if the code is longer.
    func singles(bitCount: Int) -> [UInt16] {
        var table: [UInt16] = []
        table.reserveCapacity(1 << bitCount)
        for length in 1...bitCount {
            let end = Int(limits[length] >> UInt32(16 - bitCount))
            while table.count < end {
                let code = table.count >> (bitCount - length)
                let entry = UInt16(symbols[code + bases[length]]) << 8 | UInt16(length)
                for _ in 0..<1 << (bitCount - length) { table.append(entry) }
            }
        }
        while table.count < 1 << bitCount { table.append(0) }
        return table
    }
}
