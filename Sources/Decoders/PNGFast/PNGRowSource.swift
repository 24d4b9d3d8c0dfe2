/// Hands out the stored rows of a PNG from top to bottom.
protocol PNGRowSource: ~Copyable {
    /// The next `rowCount` rows, one after the other, each behind its filter's number; nil if the
    /// data are not in order.
    ///
    /// Valid until the next call. The row above the first stands before it, as its user left it.
    mutating func next(rowCount: Int) -> UnsafeMutablePointer<UInt8>?

    /// Whether the data end where the rows do; to be asked after the last of them.
    mutating func isAtEnd() -> Bool
}
