extension Duration {
    /// The duration in milliseconds for `poll`.
    ///
    /// It is rounded up, so `poll` does not return too early.
    package var pollMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        let bounded = min(max(0, seconds), Int64(Int32.max))
        return Int32(clamping: max(0, bounded * 1000 + whole + (rest > 0 ? 1 : 0)))
    }
}
