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
}
