internal import Glibc

/// The coded data of a scan, one restart interval after the other, without the stuffed zeros.
///
/// Holds one chunk at a time, small enough to leave the first-level cache to the look-ups. Behind
/// the data there are always `margin` readable bytes, more than what is read between two looks at
/// `limit`: 8 bytes that `limit` itself may lie behind, six refills that go on by 7 bytes at most,
/// and 8 bytes that the last one reads.
struct EntropyCodedData: ~Copyable {
    private static let chunkByteCount = 1 << 13
    private static let margin = 64

    private let file: UnsafeBufferPointer<UInt8>
    private let chunk: UnsafeMutablePointer<UInt8>
    private var byteCount = 0
    /// The marker behind the interval once it is seen.
    private var marker: UInt8?
    private var isBroken = false
    /// Where in the file to read on; once the interval has ended, where its marker stands.
    private(set) var offset: Int

    /// Starts at `offset` of `file`, which must outlive the source.
    init(_ file: UnsafeBufferPointer<UInt8>, offset: Int) {
        self.file = file
        self.offset = min(max(0, offset), file.count)
        chunk = .allocate(capacity: Self.chunkByteCount + Self.margin)
        unstuff()
    }

    deinit { chunk.deallocate() }

    /// A reader at the start of the interval.
    func bits() -> BitReader { BitReader(at: UnsafePointer(chunk)) }

    /// The last place from which to read on without `replenish`.
    ///
    /// At the end of an interval the reader may be ahead of what it has taken, by up to 8 bytes.
    var limit: UnsafePointer<UInt8> {
        UnsafePointer(chunk) + (marker == nil ? max(0, byteCount - Self.margin) : byteCount + 8)
    }

    /// Makes room to go on when `bits` is past `limit`; false if data are missing.
    mutating func replenish(_ bits: inout BitReader) -> Bool {
        let used = bits.next - UnsafePointer(chunk)
        guard marker == nil, !isBroken, used >= 0, used <= byteCount else { return false }
        byteCount -= used
        memmove(chunk, chunk + used, byteCount)
        bits.next = UnsafePointer(chunk)
        unstuff()
        return !isBroken
    }

    /// Whether `bits` has taken all of the interval, but for padding.
    func isAtEnd(_ bits: BitReader) -> Bool {
        let taken = (bits.next - UnsafePointer(chunk)) * 8 - bits.count
        return marker != nil && taken <= byteCount * 8 && byteCount * 8 - taken < 64
    }

    /// Goes on behind restart marker `number`; false if another one stands there.
    mutating func restart(number: Int) -> Bool {
        guard let marker, Int(marker) == 0xD0 + number & 7 else { return false }
        offset += 2
        byteCount = 0
        self.marker = nil
        unstuff()
        return !isBroken
    }

    /// Whether the scan ends behind this interval.
    var isLastInterval: Bool { marker.map { !(0xD0...0xD7).contains($0) } ?? false }

    /// Fills the chunk up to its end or the next marker.
    private mutating func unstuff() {
        while byteCount < Self.chunkByteCount, marker == nil, !isBroken {
            let span = min(file.count - offset, Self.chunkByteCount - byteCount)
            guard span > 0, let start = file.baseAddress.map({ $0 + offset }) else {
                isBroken = true
                break
            }
            let found = memchr(start, 0xFF, span)
            let run = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(start) } ?? span
            memcpy(chunk + byteCount, start, run)
            byteCount += run
            offset += run
            if found != nil { readEscape() }
        }
        (chunk + byteCount).update(repeating: 0, count: Self.margin)
    }

    /// Reads the 0xFF at `offset` and the byte behind; there is room for one byte.
    private mutating func readEscape() {
        guard offset + 1 < file.count, file[offset + 1] != 0xFF else { return isBroken = true }
        guard file[offset + 1] == 0 else { return marker = file[offset + 1] }
        chunk[byteCount] = 0xFF
        byteCount += 1
        offset += 2
    }
}

/// A reader of bits, the next one topmost, over memory with 8 readable bytes past each place it
/// gets to; the code that drops bits has to ensure that.
struct BitReader {
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
