import Testing

@testable import Decoders

/// Lookups in the tables for AC symbols, compared with reading symbol by symbol.
@Suite struct MultiSymbolTableTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a look-up decodes all whole symbols in its window`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let code = try #require(Self.randomCode(&random))
        let tables = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * MultiSymbolTable.entryCount)
        defer { tables.deallocate() }

        MultiSymbolTable.fillAC(tables, of: code)

        for window in 0..<MultiSymbolTable.entryCount {
            let expected = Self.entry(
                window: window,
                bitCount: MultiSymbolTable.windowBitCount,
                code
            )
            #expect(
                tables[MultiSymbolTable.entryCount + window] == expected,
                "seed \(seed), \(window)"
            )
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a block's first look-up decodes its DC symbol and the following symbols`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let code = try #require(Self.randomCode(&random))
        let dc = try #require(Self.randomCode(&random, largest: 11))
        let tables = UnsafeMutablePointer<Int16>.allocate(capacity: 3 * MultiSymbolTable.entryCount)
        defer { tables.deallocate() }
        let table = tables + 2 * MultiSymbolTable.entryCount

        MultiSymbolTable.fillAC(tables, of: code)
        MultiSymbolTable.fillDC(table, of: dc, ac: tables)

        for window in 0..<MultiSymbolTable.entryCount {
            let expected = Self.firstEntry(window: window, dc, code)
            #expect(table[window] == expected, "seed \(seed), \(window)")
        }
    }

    @Test func `no look-up and the 63 coefficients before it exceed 8 bits together`() throws {
        // Given the code that skips the most coefficients with the fewest bits: 16 zeros with one
        // bit.
        let counts = [1] + Array(repeating: 0, count: 15)
        let code = try #require(HuffmanCode(counts: counts, symbols: [0xF0]))
        let tables = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * MultiSymbolTable.entryCount)
        defer { tables.deallocate() }

        MultiSymbolTable.fillAC(tables, of: code)

        let passed = (0..<MultiSymbolTable.entryCount).map {
            Int(tables[MultiSymbolTable.entryCount + $0]) >> 6
        }
        #expect(passed.max() == 12 * 16)
        #expect(63 + 12 * 16 < 256)
    }

    // MARK: - Symbol by symbol

    /// Returns the entry for a window of `bitCount` bits, the rest of which are unknown.
    private static func entry(window: Int, bitCount: Int, _ code: HuffmanCode) -> Int16 {
        let (bits, passed, isLast) = chain(window: window, bitCount: bitCount, code)
        guard bits > 0 else { return MultiSymbolTable.none }
        return Int16(bits | passed << 6) | (isLast ? MultiSymbolTable.lastBit : 0)
    }

    private static func firstEntry(
        window: Int,
        _ dc: HuffmanCode,
        _ ac: HuffmanCode
    ) -> Int16 {
        guard let (length, size) = dc.first(in: UInt32(window) << 20), length <= 12, size <= 10
        else { return MultiSymbolTable.none }
        let bits = length + Int(size)
        let rest = chain(window: window, bitCount: max(0, 12 - bits), ac)
        let packed = bits + rest.bits | (1 + rest.passed) << 6
        return Int16(packed) | (rest.isLast ? MultiSymbolTable.lastBit : 0)
    }

    /// Returns the complete symbols in the lowest `bitCount` bits of `window`; of the last symbol,
    /// only the code must be complete.
    private static func chain(
        window: Int,
        bitCount: Int,
        _ code: HuffmanCode
    ) -> (bits: Int, passed: Int, isLast: Bool) {
        var (bits, passed) = (0, 0)
        while bits < bitCount {
            let left = UInt32(truncatingIfNeeded: window << (32 - bitCount + bits))
            guard let (length, symbol) = code.first(in: left), bits + length <= bitCount,
                symbol & 15 <= 10
            else { break }
            let (run, size) = (Int(symbol >> 4), Int(symbol & 15))
            bits += length + size
            if size == 0 && run != 15 { return (bits, passed, true) }
            passed += run + 1
        }
        return (bits, passed, false)
    }

    /// Returns a code of random lengths that leaves few or no windows without a symbol.
    private static func randomCode(
        _ random: inout SeededGenerator,
        largest: UInt8 = 255
    ) -> HuffmanCode? {
        var counts = [Int](repeating: 0, count: 16)
        // The number of unused codes at each length; one remains unused, because all ones is not a
        // valid code.
        var left = 1
        for length in 0..<16 {
            left *= 2
            counts[length] = left > 1 ? Int.random(in: 0..<min(left, 20), using: &random) : 0
            left -= counts[length]
        }
        let symbols = counts.flatMap { count in
            (0..<count).map { _ in UInt8.random(in: 0...largest, using: &random) }
        }
        return HuffmanCode(counts: counts, symbols: symbols)
    }
}
