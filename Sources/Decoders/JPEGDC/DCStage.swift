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
