internal import Glibc

/// The coded data of a scan without the stuffed zeros, read one restart interval at a time.
///
/// Only one chunk is in memory at a time. The chunk is small enough that the lookup tables also fit
/// into the first-level cache. The data is always followed by `margin` readable bytes. The margin
/// exceeds the number of bytes read between two comparisons with `limit`: `limit` itself may be 8
/// bytes past the end, six refills advance by at most 7 bytes each, and the last refill reads 8
/// bytes.
struct EntropyCodedData: ~Copyable {
    private static let chunkByteCount = 1 << 13
    private static let margin = 64

    private let file: UnsafeBufferPointer<UInt8>
    private let chunk: UnsafeMutablePointer<UInt8>
    private var byteCount = 0
    /// The marker after the restart interval, or nil if it has not been found.
    private var marker: UInt8?
    private var isBroken = false
    /// The offset at which reading continues; at the end of the interval, the offset of its marker.
    private(set) var offset: Int

    /// Creates a reader for the data at `offset` in `file`; the memory of `file` must outlive the
    /// reader.
    init(_ file: UnsafeBufferPointer<UInt8>, offset: Int) {
        self.file = file
        self.offset = min(max(0, offset), file.count)
        chunk = .allocate(capacity: Self.chunkByteCount + Self.margin)
        unstuff()
    }

    deinit { chunk.deallocate() }

    /// Returns a bit reader at the start of the restart interval.
    func bits() -> BitReader { BitReader(at: UnsafePointer(chunk)) }

    /// The last position from which reading can continue without calling `replenish`.
    ///
    /// At the end of an interval, the reader may be up to 8 bytes ahead of the bits it has used.
    var limit: UnsafePointer<UInt8> {
        UnsafePointer(chunk) + (marker == nil ? max(0, byteCount - Self.margin) : byteCount + 8)
    }

    /// Discards the data that `bits` has used and loads more of the restart interval.
    ///
    /// Call this method when `bits` is past `limit`. Returns false if the interval has no more
    /// data, or if the file is truncated or invalid.
    mutating func replenish(_ bits: inout BitReader) -> Bool {
        let used = bits.next - UnsafePointer(chunk)
        guard marker == nil, !isBroken, used >= 0, used <= byteCount else { return false }
        byteCount -= used
        memmove(chunk, chunk + used, byteCount)
        bits.next = UnsafePointer(chunk)
        unstuff()
        return !isBroken
    }

    /// Returns whether all bits that `bits` has read are in the data that was loaded.
    ///
    /// At the end of an interval, the reader may have read zeros after the data.
    func contains(_ bits: BitReader) -> Bool {
        (bits.next - UnsafePointer(chunk)) * 8 - bits.count <= byteCount * 8
    }

    /// Returns whether `bits` has read the entire restart interval; up to 63 padding bits may
    /// remain.
    func isAtEnd(_ bits: BitReader) -> Bool {
        let taken = (bits.next - UnsafePointer(chunk)) * 8 - bits.count
        return marker != nil && contains(bits) && byteCount * 8 - taken < 64
    }

    /// Continues with the interval after restart marker `number`.
    ///
    /// Call this method at the end of an interval. Returns false if the interval ends with another
    /// marker, or if the file is truncated or invalid.
    mutating func restart(number: Int) -> Bool {
        guard let marker, Int(marker) == 0xD0 + number & 7 else { return false }
        offset += 2
        byteCount = 0
        self.marker = nil
        unstuff()
        return !isBroken
    }

    /// Whether the scan ends after this restart interval.
    var isLastInterval: Bool { marker.map { !(0xD0...0xD7).contains($0) } ?? false }

    /// Reads data into the chunk until it is full or the next marker is found.
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

    /// Reads the 0xFF at `offset` and the byte after it.
    ///
    /// The chunk must have room for one more byte.
    private mutating func readEscape() {
        guard offset + 1 < file.count, file[offset + 1] != 0xFF else { return isBroken = true }
        guard file[offset + 1] == 0 else { return marker = file[offset + 1] }
        chunk[byteCount] = 0xFF
        byteCount += 1
        offset += 2
    }
}

/// Reads bits from memory; the next bit is the highest bit of `window`.
///
/// Code that drops bits must ensure that 8 bytes are readable at each position that the reader
/// reaches.
struct BitReader {
    /// The bits that have been read but not dropped, left-aligned.
    ///
    /// The window contains at least `count` such bits.
    private(set) var window: UInt64 = 0
    /// The number of bits in `window` that precede the byte at `next`.
    private(set) var count = 0
    /// The next byte to read.
    var next: UnsafePointer<UInt8>

    init(at start: UnsafePointer<UInt8>) { next = start }

    /// Makes at least 56 bits available.
    ///
    /// The method has no branches. If bits are already available, they are read again with the same
    /// value.
    @inline(__always)
    mutating func refill() {
        let word = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self).bigEndian
        window |= word &>> UInt64(truncatingIfNeeded: count)
        next += (63 &- count) &>> 3
        count |= 56
    }

    /// Drops available bits; only the lowest 6 bits of `bitCount` are used.
    @inline(__always)
    mutating func drop(_ bitCount: Int) {
        window &<<= UInt64(truncatingIfNeeded: bitCount)
        count &-= bitCount & 63
    }

    /// The next 32 bits; only the available bits are valid.
    var word: UInt32 { UInt32(truncatingIfNeeded: window &>> 32) }
}
