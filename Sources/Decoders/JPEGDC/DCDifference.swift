/// The coding of the differences between DC values (T.81, F.1.2.1): a Huffman code says how many
/// bits of magnitude follow.
enum DCDifference {
    /// The bits of a look-up.
    static let lookupBitCount = 11

    /// The difference that `size` bits of magnitude stand for: a leading 0 means a negative number
    /// (T.81, F.2.2.1).
    ///
    /// Without a branch, for signs are as good as random. No bits stand for 0.
    @inline(__always)
    static func value(ofMagnitude bits: Int, size: Int) -> Int {
        let leading = (bits &<< 1) &>> size
        return bits &+ (1 &- leading) &* (1 &- (1 &<< size))
    }
}
