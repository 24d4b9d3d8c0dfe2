/// Turns the beginnings of blocks into samples.
struct DCValues: ~Copyable {
    /// What a block of an MCU needs, worked out beforehand.
    private struct Block {
        let lookups: UnsafePointer<Int16>
        /// The index of its prediction.
        let part: Int
        /// Where its sample lies for the first MCU, and how far on for the next column and row.
        let start: UnsafeMutablePointer<UInt8>
        let columnStep: Int
        let rowStep: Int
        /// What turns a value into eight times the sample.
        let quantizer: Int
        let set: Int
    }

    private let blocks: UnsafeMutableBufferPointer<Block>
    /// The DC value before, of each component of the scan.
    private let predictions: UnsafeMutablePointer<Int>
    private let codes: [DCLookups.Codes]
    /// The bits that the scan does not have, and half of what they can add.
    private let missingBitCount: Int
    private let half: Int
    /// The bits of values that no picture has; nothing else sets bits above the 12th.
    private var excess = 0

    /// `lookups` and `samples` must outlive the values and have all that `layout` refers to.
    init(
        layout: DCScanLayout,
        lookups: UnsafePointer<Int16>,
        samples: UnsafeMutablePointer<UInt8>
    ) {
        codes = layout.lookups.codes
        missingBitCount = layout.missingBitCount
        half = (1 << layout.missingBitCount) >> 1
        blocks = .allocate(capacity: layout.blocks.count)
        _ = blocks.initialize(
            fromContentsOf: layout.blocks.map { block in
                Block(
                    lookups: lookups + DCLookups.difference(block.set),
                    part: block.part,
                    start: samples + block.start,
                    columnStep: block.columnStep,
                    rowStep: block.rowStep,
                    quantizer: block.quantizer,
                    set: block.set
                )
            }
        )
        predictions = .allocate(capacity: DCScanLayout.maximumBlockCount)
        restart()
    }

    deinit {
        blocks.deallocate()
        predictions.deallocate()
    }

    /// Begins a restart interval.
    func restart() {
        predictions.initialize(repeating: 0, count: DCScanLayout.maximumBlockCount)
    }

    /// Whether a value was met that no picture has, which libjpeg wraps around.
    var isExceeded: Bool { excess & ~0xFFF != 0 }

    /// Writes the samples of some MCUs; false if a beginning is none.
    mutating func read(
        _ beginnings: UnsafePointer<UInt32>,
        columns: Range<Int>,
        row: Int
    ) -> Bool {
        let (blocks, predictions) = (UnsafeBufferPointer(blocks), predictions)
        let (shift, half) = (missingBitCount, half)
        var (next, excess) = (beginnings, excess)
        for column in columns {
            for block in blocks {
                let word = next.pointee
                next += 1
                let window = Int(word &>> UInt32(32 &- DCDifference.lookupBitCount))
                var difference = Int(block.lookups[window])
                if difference >= Int(DCDifference.escape) {
                    guard let value = value(in: word, entry: difference, set: block.set) else {
                        return false
                    }
                    difference = value
                }
                let value = predictions[block.part] &+ difference
                predictions[block.part] = value
                let whole = value &<< shift &+ half
                // As libjpeg's 1x1 inverse DCT makes it.
                let scaled = (whole &* block.quantizer &+ 4) &>> 3
                excess |= (whole &+ 2048) | ((scaled &+ 512) &<< 2)
                let sample = UInt8(truncatingIfNeeded: max(0, min(255, scaled &+ 128)))
                block.start[column &* block.columnStep &+ row &* block.rowStep] = sample
            }
        }
        self.excess = excess
        return true
    }

    @inline(never)
    private func value(in word: UInt32, entry: Int, set: Int) -> Int? {
        DCDifference.value(
            in: word,
            entry: Int16(truncatingIfNeeded: entry),
            code: codes[set].dc
        )
    }
}
