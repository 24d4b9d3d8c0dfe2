/// Decodes the DC values of blocks and stores them in `DCPlanes.values`.
///
/// The first bits of a block contain the difference from the DC value of the previous block.
struct DCPredictor: ~Copyable {
    /// The blocks of one component in an MCU.
    private struct Part {
        /// The index of the component's first block in the MCU, and the index after its last block.
        let first: Int
        let end: Int
        /// The distances in the plane from an MCU to the next one in its row, and from one row of
        /// MCUs to the next.
        let columnStep: Int
        let rowStep: Int
        let table: UnsafePointer<Int16>
        let codes: UnsafePointer<HuffmanTables.Codes>
        /// The DC value of the previous block of the component.
        var prediction = 0
    }

    /// The parts, one per component of the scan.
    private let parts: UnsafeMutableBufferPointer<Part>
    /// For each block in the first MCU, the location at which the block's DC value is stored.
    private let starts: UnsafeMutableBufferPointer<UnsafeMutablePointer<Int16>>
    /// The limit of DC values in an 8-bit image: they range from `-lowest` to `lowest - 1`.
    private let lowest: Int
    /// Nonzero if any DC value was out of range; libjpeg would wrap such a value around.
    private var excess = 0

    /// Creates a predictor.
    ///
    /// `memory` must outlive the predictor and contain the tables and values that `layout` refers
    /// to.
    init(layout: DCScanLayout, memory: DCScanDecoder.Memory) {
        lowest = 2048 >> layout.missingBitCount
        starts = .allocate(capacity: layout.blockStarts.count)
        _ = starts.initialize(fromContentsOf: layout.blockStarts.map { memory.values + $0 })
        parts = .allocate(capacity: layout.parts.count)
        _ = parts.initialize(
            fromContentsOf: layout.parts.map { part in
                Part(
                    first: part.blocks.lowerBound,
                    end: part.blocks.upperBound,
                    columnStep: part.columnStep,
                    rowStep: part.rowStep,
                    table: memory.entries + HuffmanTables.differenceTable(part.tableSet),
                    codes: memory.codes + part.tableSet
                )
            }
        )
    }

    deinit {
        starts.deallocate()
        parts.deallocate()
    }

    /// Resets the predictions at the start of a restart interval.
    func restart() {
        for index in parts.indices { parts[index].prediction = 0 }
    }

    /// Whether any DC value was out of range.
    var isExceeded: Bool { excess != 0 }

    /// Decodes and stores the DC values of several MCUs; returns false if the data of a block is
    /// invalid.
    ///
    /// `prefixes` contains the first bits of each block, which start with a DC symbol.
    mutating func read(
        _ prefixes: UnsafePointer<UInt32>,
        columns: Range<Int>,
        row: Int
    ) -> Bool {
        for index in parts.indices {
            guard read(index, prefixes: prefixes, columns: columns, row: row) else { return false }
        }
        return true
    }

    @inline(__always)
    private mutating func read(
        _ index: Int,
        prefixes: UnsafePointer<UInt32>,
        columns: Range<Int>,
        row: Int
    ) -> Bool {
        // Local copies of the variables in the loop stay in registers.
        let (part, starts, lowest) = (parts[index], UnsafeBufferPointer(starts), lowest)
        let table = part.table
        let gap = starts.count &- (part.end &- part.first)
        var next = prefixes + part.first
        var offset = row &* part.rowStep &+ columns.lowerBound &* part.columnStep
        var prediction = part.prediction
        var values = 0
        for _ in columns {
            var block = part.first
            while block < part.end {
                let window = Int(next.pointee &>> UInt32(32 &- DCDifference.windowBitCount))
                var difference = Int(table[window])
                if difference >= Int(DCDifference.escape) {
                    difference = Self.value(in: next.pointee, difference, part.codes)
                    guard difference < Int(DCDifference.escape) else { return false }
                }
                prediction &+= difference
                values |= prediction &+ lowest
                starts[block][offset] = Int16(truncatingIfNeeded: prediction)
                next += 1
                block &+= 1
            }
            next += gap
            offset &+= part.columnStep
        }
        parts[index].prediction = prediction
        excess |= values & ~(2 &* lowest &- 1)
        return true
    }

    /// Returns a DC difference that is not in the lookup table, or `escape` if no code matches.
    @inline(never)
    private static func value(
        in word: UInt32,
        _ entry: Int,
        _ codes: UnsafePointer<HuffmanTables.Codes>
    ) -> Int {
        let entry = Int16(truncatingIfNeeded: entry)
        return DCDifference.value(in: word, entry: entry, code: codes.pointee.dc)
            ?? Int(DCDifference.escape)
    }
}
