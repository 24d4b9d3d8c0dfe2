/// A reader of bits, the next one topmost, over memory with 8 readable bytes past each place it
/// gets to; whoever drops bits answers for that.
struct DCBits {
    /// At least `count` bits, left aligned.
    private(set) var window: UInt64 = 0
    /// The bits of `window` that `next` has passed.
    private(set) var count = 0
    /// The byte to read on at.
    var next: UnsafePointer<UInt8>

    init(at start: UnsafePointer<UInt8>) { next = start }

    /// Makes at least 56 bits available, without a branch: bits that are there already are read
    /// again, with the same value.
    @inline(__always)
    mutating func refill() {
        let word = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self).bigEndian
        window |= word &>> UInt64(truncatingIfNeeded: count)
        next += (63 &- count) &>> 3
        count |= 56
    }

    /// Passes over as many of the bits that are available as the lowest 6 bits of `bitCount` say.
    @inline(__always)
    mutating func drop(_ bitCount: Int) {
        window &<<= UInt64(truncatingIfNeeded: bitCount)
        count &-= bitCount & 63
    }

    /// The next 32 bits, of which as many count as are available.
    var word: UInt32 { UInt32(truncatingIfNeeded: window &>> 32) }
}
