/// Rows of R, G, B, A samples in memory, borrowed for a call.
struct SampleRows {
    /// The first row.
    let start: UnsafeRawPointer
    /// From the start of a row to the start of the next.
    let rowByteCount: Int
    /// How many.
    let count: Int

    /// The rows from `index` on.
    func dropFirst(_ index: Int) -> SampleRows {
        SampleRows(
            start: start + index * rowByteCount,
            rowByteCount: rowByteCount,
            count: count - index
        )
    }
}
