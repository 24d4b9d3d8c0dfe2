/// Reads the DC values of a scan and passes over the rest.
///
/// The work of nine tenths of the time; so it is done on pointers that were checked before:
/// `layout.lastIndex` against the samples, the source's margin against what is read between two
/// looks at its limit.
struct DCScanDecoder: ~Copyable {
    /// Rows of MCUs between two cancellation checks.
    private static let rowCountPerCheck = 8

    /// MCUs that are walked over at once; their blocks' beginnings are 5 KB at most.
    private static let mcuCountAtOnce = 128

    /// The memory the loop works on; it must outlive the decoder.
    struct Tables {
        let lookups: UnsafePointer<Int16>
        let codes: UnsafePointer<DCLookups.Codes>
        let samples: UnsafeMutablePointer<UInt8>

        /// Nil if anything is empty.
        init?(
            _ lookups: UnsafeBufferPointer<Int16>,
            _ codes: UnsafeBufferPointer<DCLookups.Codes>,
            _ samples: UnsafeMutableBufferPointer<UInt8>
        ) {
            guard let lookups = lookups.baseAddress, let codes = codes.baseAddress,
                let samples = samples.baseAddress
            else { return nil }
            self.lookups = lookups
            self.codes = codes
            self.samples = samples
        }
    }

    private let layout: DCScanLayout
    private let tables: Tables
    private let stages: UnsafeMutablePointer<DCStage>
    private let blockCount: Int
    private var source: DCEntropySource
    private var bits: DCBits
    private var limit: UnsafePointer<UInt8>
    /// The first 32 bits of each block that was walked over.
    private let notes: UnsafeMutablePointer<UInt32>
    private var values: DCValues

    init(layout: DCScanLayout, tables: Tables, source: consuming DCEntropySource) {
        self.layout = layout
        self.tables = tables
        bits = source.bits()
        limit = source.limit
        self.source = source
        stages = DCStage.ring(of: layout, lookups: tables.lookups)
        blockCount = layout.blockStarts.count
        // One more, for the walk notes what may be the beginning of a block behind the last.
        notes = .allocate(capacity: Self.mcuCountAtOnce * blockCount + 1)
        values = DCValues(layout: layout, tables: tables)
    }

    deinit {
        stages.deallocate()
        notes.deallocate()
    }

    /// Writes a sample for each block; returns where the marker behind the scan stands, nil if the
    /// data are not in order.
    mutating func decode(plan: DecodingPlan) throws(ImageDecodingError) -> Int? {
        var restartCount = 0
        var mcusLeft = layout.restartInterval > 0 ? layout.restartInterval : .max
        for row in 0..<layout.rows {
            if row % Self.rowCountPerCheck == 0 { try plan.checkCancellation() }
            var column = 0
            while column < layout.columns {
                if mcusLeft == 0 {
                    guard restart(number: restartCount) else { return nil }
                    restartCount += 1
                    mcusLeft = layout.restartInterval
                }
                let end = column + min(layout.columns - column, mcusLeft, Self.mcuCountAtOnce)
                guard walk(mcuCount: end - column),
                    values.read(notes, columns: column..<end, row: row)
                else { return nil }
                mcusLeft -= end - column
                column = end
            }
        }
        guard !values.isExceeded else { return nil }
        return source.isAtEnd(bits) && source.isLastInterval ? source.offset : nil
    }

    private mutating func restart(number: Int) -> Bool {
        guard source.isAtEnd(bits), source.restart(number: number) else { return false }
        bits = source.bits()
        limit = source.limit
        values.restart()
        return true
    }

    // MARK: - From symbol to symbol

    /// Notes the beginnings of the blocks of some MCUs; false if the data break the rules.
    private mutating func walk(mcuCount: Int) -> Bool {
        let last = UnsafePointer(stages + (blockCount - 1))
        var walk = DCWalk(bits: bits, last: last, notes: notes)
        let end = notes + mcuCount * blockCount
        walk.refill()
        while walk.note < end {
            if walk.bits.next > limit {
                guard let moved = replenished(walk.bits) else { return false }
                walk.move(to: moved)
            }
            guard walk.refillAndStep() || stepSlowly(&walk) else { return false }
            guard walk.note < end else { break }
            guard walk.step() || stepSlowly(&walk) else { return false }
        }
        bits = walk.bits
        return true
    }

    @inline(never)
    private mutating func replenished(_ bits: DCBits) -> DCBits? {
        var bits = bits
        guard source.replenish(&bits) else { return nil }
        limit = source.limit
        return bits
    }

    /// Passes over one symbol, for long codes and look-ups that reach into the next block; false if
    /// no code matches or the block is overrun.
    @inline(__always)
    private func stepSlowly(_ walk: inout DCWalk) -> Bool {
        walk.refill()
        let entry = Self.entry(
            word: walk.bits.word,
            codes: tables.codes + walk.stage.pointee.set,
            passedCount: walk.passedCount
        )
        defer { walk.refill() }
        return walk.take(entry)
    }

    /// The entry of the next symbol alone.
    ///
    /// Takes and gives values: what its caller would have to point to would not stay in registers.
    @inline(never)
    private static func entry(
        word: UInt32,
        codes: UnsafePointer<DCLookups.Codes>,
        passedCount: Int
    ) -> Int {
        guard passedCount > 0 else {
            guard let (length, symbol) = codes.pointee.dc.first(in: word) else {
                return Int(DCSteps.none)
            }
            return Int(DCSteps.ofDC(symbol, isAlone: codes.pointee.ac == nil)) + length
        }
        guard let (length, symbol) = codes.pointee.ac?.first(in: word) else {
            return Int(DCSteps.none)
        }
        return DCSteps.ending(Int(DCSteps.ofAC(symbol)) + length, passedCount: passedCount)
    }
}
