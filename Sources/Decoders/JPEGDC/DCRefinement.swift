/// Reads a scan that adds the next lower bit to each DC value (T.81, G.1.2.1).
///
/// A refinement scan has no Huffman codes and consists only of these bits.
struct DCRefinement: ~Copyable {
    /// The number of MCU rows between two cancellation checks.
    private static let rowCountPerCheck = 64

    private let layout: DCScanLayout
    private let values: UnsafeMutablePointer<Int16>
    private var data: EntropyCodedData
    private var bits: BitReader
    private var limit: UnsafePointer<UInt8>
    /// The number of unused bits in `bits`.
    private var bitCount = 0

    /// Creates a reader.
    ///
    /// `values` must outlive the reader and contain all values that `layout` refers to.
    init(
        layout: DCScanLayout,
        values: UnsafeMutablePointer<Int16>,
        data: consuming EntropyCodedData
    ) {
        self.layout = layout
        self.values = values
        bits = data.bits()
        limit = data.limit
        self.data = data
    }

    /// Appends the next lower bit to each DC value.
    ///
    /// Returns the offset of the marker after the scan, or nil if the data is invalid.
    mutating func read(plan: DecodingPlan) throws(ImageDecodingError) -> Int? {
        var restartCount = 0
        var mcusLeft = layout.restartInterval > 0 ? layout.restartInterval : .max
        for row in 0..<layout.rows {
            if row % Self.rowCountPerCheck == 0 { try plan.checkCancellation() }
            for column in 0..<layout.columns {
                if mcusLeft == 0 {
                    guard restart(number: restartCount) else { return nil }
                    restartCount += 1
                    mcusLeft = layout.restartInterval
                }
                guard readMCU(column: column, row: row) else { return nil }
                mcusLeft -= 1
            }
        }
        return data.isAtEnd(bits) && data.isLastInterval ? data.offset : nil
    }

    private mutating func readMCU(column: Int, row: Int) -> Bool {
        for part in layout.parts {
            let offset = row * part.rowStep + column * part.columnStep
            for block in part.blocks {
                guard let bit = nextBit() else { return false }
                let place = layout.blockStarts[block] + offset
                values[place] = values[place] &<< 1 | bit
            }
        }
        return true
    }

    private mutating func nextBit() -> Int16? {
        if bitCount == 0 {
            if bits.next > limit {
                guard data.replenish(&bits) else { return nil }
                limit = data.limit
            }
            bits.refill()
            bitCount = 56
        }
        let bit = Int16(truncatingIfNeeded: bits.word >> 31)
        bits.drop(1)
        bitCount -= 1
        return bit
    }

    private mutating func restart(number: Int) -> Bool {
        guard data.isAtEnd(bits), data.restart(number: number) else { return false }
        bits = data.bits()
        limit = data.limit
        bitCount = 0
        return true
    }
}
