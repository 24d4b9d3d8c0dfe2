/// Look-ups for passing over AC symbols, several at once where they are short.
///
/// An entry is packed into 16 bits, so that the tables of luma and chroma fit into the first-level
/// cache together:
///
///     bits 0-4   the bits of the codes and of the magnitudes behind them
///     bits 5-11  the coefficients passed over; the end of the block counts as one, so that a chain
///                that would run into the next block always passes 64
///     bit  12    the block ends with the last symbol
enum DCSkip {
    /// The bits of a look-up.
    static let lookupBitCount = 12
    /// The entries of a look-up table.
    static let lookupCount = 1 << lookupBitCount
    /// The most bits an entry passes over: three fit into the 56 that a refill makes available.
    static let maximumBitCount = 18
    /// The entry of a symbol that no entry can hold; it passes more than a block has.
    static let slow: UInt16 = 127 << 5

    static let lastBit: UInt16 = 1 << 12

    /// What the symbol RRRRSSSS passes over (T.81, F.1.2.2.1), without its code.
    static func symbol(_ symbol: UInt8) -> (bitCount: Int, advance: Int, isLast: Bool) {
        let (run, size) = (Int(symbol >> 4), Int(symbol & 15))
        let isLast = size == 0 && run != 15
        return (size, isLast ? 1 : run + 1, isLast)
    }

    /// For each window of 12 bits the whole symbols in it, as far as their codes are.
    static func lookups(_ code: DCHuffmanCode) -> [UInt16] {
        let singles = code.singles(bitCount: lookupBitCount)
        return singles.withUnsafeBufferPointer { singles in
            (0..<lookupCount).map { entry(window: $0, singles) }
        }
    }

    private static func entry(window: Int, _ singles: UnsafeBufferPointer<UInt16>) -> UInt16 {
        var (bitCount, advance) = (0, 0)
        while bitCount < lookupBitCount {
            let single = singles[window &<< bitCount & (lookupCount &- 1)]
            let length = Int(single & 0xFF)
            let next = symbol(UInt8(truncatingIfNeeded: single &>> 8))
            guard length > 0, bitCount &+ length <= lookupBitCount,
                bitCount &+ length &+ next.bitCount <= maximumBitCount,
                advance &+ next.advance <= 64
            else { break }
            bitCount &+= length &+ next.bitCount
            advance &+= next.advance
            guard !next.isLast else { return packed(bitCount, advance) | lastBit }
        }
        return bitCount == 0 ? slow : packed(bitCount, advance)
    }

    private static func packed(_ bitCount: Int, _ advance: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: bitCount | advance &<< 5)
    }
}
