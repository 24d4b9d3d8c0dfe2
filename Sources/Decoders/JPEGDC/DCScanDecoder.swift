/// Reads the DC values of a scan and passes over the rest.
///
/// The loop that nine tenths of the time go to; so it works on pointers that were checked before:
/// `layout.lastIndex` against the samples, the source's margin against what an MCU can take.
struct DCScanDecoder: ~Copyable {
    /// Rows of MCUs between two cancellation checks.
    private static let rowCountPerCheck = 8

    /// The memory the loop works on; it must outlive the decoder.
    struct Tables {
        let blocks: UnsafeBufferPointer<DCScanLayout.Block>
        let lookups: UnsafePointer<UInt16>
        let samples: UnsafeMutablePointer<UInt8>
    }

    private let layout: DCScanLayout
    private let tables: Tables
    private var source: DCEntropySource
    private var bits: DCBits
    private var limit: UnsafePointer<UInt8>
    /// The DC value before, of each component of the scan.
    private let predictions: UnsafeMutablePointer<Int>
    /// The bits of values that no picture has; nothing else sets bits above the 12th.
    private var excess = 0

    init(layout: DCScanLayout, tables: Tables, source: consuming DCEntropySource) {
        self.layout = layout
        self.tables = tables
        bits = source.bits()
        limit = source.limit
        self.source = source
        predictions = .allocate(capacity: DCScanLayout.maximumBlockCount)
        predictions.initialize(repeating: 0, count: DCScanLayout.maximumBlockCount)
    }

    deinit { predictions.deallocate() }

    /// Writes a sample for each block; returns where the marker behind the scan stands, nil if the
    /// data are not in order.
    mutating func decode(
        checkCancellation: () throws(DecodingError) -> Void
    ) throws(DecodingError) -> Int? {
        var restartCount = 0
        var mcusLeft = layout.restartInterval > 0 ? layout.restartInterval : .max
        for row in 0..<layout.rows {
            if row % Self.rowCountPerCheck == 0 { try checkCancellation() }
            var column = 0
            while column < layout.columns {
                if mcusLeft == 0 {
                    guard restart(number: restartCount) else { return nil }
                    restartCount += 1
                    mcusLeft = layout.restartInterval
                }
                let end = column + min(layout.columns - column, mcusLeft)
                guard decode(columns: column..<end, row: row) else { return nil }
                mcusLeft -= end - column
                column = end
            }
        }
        guard excess & ~0xFFF == 0 else { return nil }
        return source.isAtEnd(bits) && source.isLastInterval ? source.offset : nil
    }

    private mutating func restart(number: Int) -> Bool {
        guard source.isAtEnd(bits), source.restart(number: number) else { return false }
        bits = source.bits()
        limit = source.limit
        predictions.update(repeating: 0, count: DCScanLayout.maximumBlockCount)
        return true
    }

    /// Decodes some MCUs of a row; false if the data break the rules.
    private mutating func decode(columns: Range<Int>, row: Int) -> Bool {
        // Copies, so that they can stay in registers.
        var (bits, excess) = (bits, excess)
        let (blocks, isProgressive) = (tables.blocks, layout.isProgressive)
        for column in columns {
            if bits.next > limit {
                var moved = bits
                guard source.replenish(&moved) else { return false }
                bits = moved
                limit = source.limit
            }
            for block in blocks {
                guard let difference = difference(block, &bits),
                    isProgressive || skip(block, &bits)
                else { return false }
                predictions[block.part] &+= difference
                let index = block.start &+ column &* block.columnStep &+ row &* block.rowStep
                tables.samples[index] = sample(predictions[block.part], block.quantizer, &excess)
            }
        }
        (self.bits, self.excess) = (bits, excess)
        return true
    }

    /// The difference to the block before; nil if no code matches.
    @inline(__always)
    private func difference(_ block: DCScanLayout.Block, _ bits: inout DCBits) -> Int? {
        bits.refill()
        let window = bits.window &>> UInt64(64 &- DCDifference.lookupBitCount)
        let entry = Int(tables.lookups[block.dcStart &+ Int(window)])
        var (length, size) = (entry & 0xFF, entry &>> 8)
        if entry == 0 {
            guard let code = layout.codes[block.dcCode].first(in: bits.word) else { return nil }
            (length, size) = (code.length, Int(code.symbol))
        }
        bits.drop(length)
        // In two steps, for a shift by all 64 bits is none.
        let magnitude = Int((bits.window &>> 1) &>> UInt64(63 &- size))
        bits.drop(size)
        return DCDifference.value(ofMagnitude: magnitude, size: size)
    }

    /// Passes over the coefficients 1 to 63; false if the data break the rules.
    @inline(__always)
    private func skip(_ block: DCScanLayout.Block, _ bits: inout DCBits) -> Bool {
        let table = tables.lookups + block.acStart
        var coefficient = 1
        repeat {
            bits.refill()
            // Three look-ups take at most the bits of one refill.
            if pass(table, &bits, &coefficient), pass(table, &bits, &coefficient),
                pass(table, &bits, &coefficient)
            {
                continue
            }
            guard coefficient < 64 else { return true }
            bits.refill()
            let skip = skipOne(block.acCode, word: bits.word, coefficient: coefficient)
            guard skip.bitCount > 0 else { return false }
            bits.drop(skip.bitCount)
            coefficient = skip.next
        } while coefficient < 64
        return true
    }

    /// Passes over the symbols of one look-up; false at the end of the block and where the look-up
    /// can't tell.
    @inline(__always)
    private func pass(
        _ table: UnsafePointer<UInt16>,
        _ bits: inout DCBits,
        _ coefficient: inout Int
    ) -> Bool {
        let entry = Int(table[Int(bits.window &>> UInt64(64 &- DCSkip.lookupBitCount))])
        let next = coefficient &+ entry &>> 5 & 127
        guard next <= 64 else { return false }
        bits.drop(entry & 31)
        // The bit of the last symbol becomes 64.
        coefficient = next | entry &>> 6 & 64
        return coefficient < 64
    }

    /// Passes over one symbol the slow way, for long codes and chains into the next block; no bits
    /// if no code matches or the block is overrun.
    ///
    /// Takes and gives values: what its caller would have to point to would not stay in registers.
    @inline(never)
    private func skipOne(
        _ code: Int,
        word: UInt32,
        coefficient: Int
    ) -> (bitCount: Int, next: Int) {
        guard let (length, symbol) = layout.codes[code].first(in: word) else { return (0, 0) }
        let skip = DCSkip.symbol(symbol)
        let next = coefficient + skip.advance
        guard next <= 64 else { return (0, 0) }
        return (length + skip.bitCount, skip.isLast ? 64 : next)
    }

    /// The sample as libjpeg's 1x1 inverse DCT makes it; values no picture has, which it wraps
    /// around, are noted in `excess`.
    @inline(__always)
    private func sample(_ value: Int, _ quantizer: Int, _ excess: inout Int) -> UInt8 {
        let shift = layout.missingBitCount
        // Half of what the missing bits can add.
        let whole = value &<< shift &+ (1 &<< shift) &>> 1
        let scaled = (whole &* quantizer &+ 4) &>> 3
        excess |= (whole &+ 2048) | ((scaled &+ 512) &<< 2)
        return UInt8(clamping: scaled &+ 128)
    }
}
