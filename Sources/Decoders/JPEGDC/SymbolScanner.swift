/// The walk over the blocks of a scan from symbol to symbol, which notes how each block begins.
///
/// Nearly all of the time goes here. How many look-ups a block takes is as good as random, so a
/// loop over them would be mispredicted at the end of each block, at the cost of two look-ups. So
/// this is one loop over the look-ups of all blocks, and what changes at the end of a block is
/// masked: of a choice between two values the compiler would make a branch again.
struct DCWalk {
    private(set) var bits: DCBits
    private var stageStart: UnsafeRawPointer
    private var table: UnsafeRawPointer
    /// Where the first 32 bits of the current block are noted.
    private(set) var note: UnsafeMutablePointer<UInt32>
    private var beginning: UInt32 = 0
    /// The coefficients of the current block that have been passed over.
    private(set) var passedCount = 0
    /// All ones at the beginning of a block, else 0.
    private var isBeginning = -1

    /// Starts at the first block of an MCU, whose last one is `last`.
    init(bits: DCBits, last: UnsafePointer<DCStage>, notes: UnsafeMutablePointer<UInt32>) {
        self.bits = bits
        stageStart = UnsafeRawPointer(last) + last.pointee.toNext
        table = last.pointee.ac + last.pointee.toNextDC
        note = notes
    }

    var stage: UnsafePointer<DCStage> {
        @inline(__always) get { stageStart.assumingMemoryBound(to: DCStage.self) }
    }

    /// Reads on in memory that has been moved.
    mutating func move(to bits: DCBits) { self.bits = bits }

    @inline(__always)
    mutating func refill() { bits.refill() }

    /// Passes over the symbols of one look-up, with as many bits at hand as two of them take; false
    /// if it is none that counts.
    @inline(__always)
    mutating func step() -> Bool { step(entry()) }

    /// Refills meanwhile: what two steps leave is a whole window still.
    @inline(__always)
    mutating func refillAndStep() -> Bool {
        let entry = entry()
        bits.refill()
        return step(entry)
    }

    @inline(__always)
    private func entry() -> Int {
        let window = Int(bits.window &>> UInt64(64 &- DCSteps.lookupBitCount))
        return Int(table.load(fromByteOffset: window &* 2, as: Int16.self))
    }

    @inline(__always)
    private mutating func step(_ entry: Int) -> Bool {
        let mask = UInt32(truncatingIfNeeded: isBeginning)
        beginning ^= (beginning ^ bits.word) & mask
        note.pointee = beginning
        return take(entry)
    }

    /// Passes over what `entry` says; false, and nothing done, if the block would be overrun.
    @inline(__always)
    mutating func take(_ entry: Int) -> Bool {
        let passed = passedCount &+ entry &>> 6
        guard passed & 0xC0 == 0 else { return false }
        bits.drop(entry)
        isBeginning = entry &>> 63
        table = stage.pointee.ac + (stage.pointee.toNextDC & isBeginning)
        stageStart += stage.pointee.toNext & isBeginning
        passedCount = passed & ~isBeginning
        note -= isBeginning
        return true
    }
}

/// What the walk over a block of an MCU needs; the stages of an MCU form a ring.
struct DCStage {
    /// The look-ups of the block's AC symbols.
    let ac: UnsafeRawPointer
    /// From there to the look-ups that the next block begins with, in bytes.
    let toNextDC: Int
    /// From this stage to the next, in bytes.
    let toNext: Int
    /// The set of the block's codes and tables.
    let set: Int

    /// The stages of the blocks of an MCU, in memory that the caller has to give back; `lookups`
    /// has the tables of `layout`.
    static func ring(
        of layout: DCScanLayout,
        lookups: UnsafePointer<Int16>
    ) -> UnsafeMutablePointer<DCStage> {
        let sets = layout.parts.flatMap { part in part.blocks.map { _ in part.set } }
        let stages = UnsafeMutablePointer<DCStage>.allocate(capacity: sets.count)
        for (index, set) in sets.enumerated() {
            let next = (index + 1) % sets.count
            let ac = DCLookups.walkAC(set)
            let entryCount = DCLookups.walkDC(sets[next]) - ac
            (stages + index).initialize(
                to: DCStage(
                    ac: UnsafeRawPointer(lookups + ac),
                    toNextDC: entryCount * MemoryLayout<Int16>.stride,
                    toNext: (next - index) * MemoryLayout<DCStage>.stride,
                    set: set
                )
            )
        }
        return stages
    }
}
