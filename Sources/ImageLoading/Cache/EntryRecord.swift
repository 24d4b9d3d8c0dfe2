/// What travels beside an entry's bytes: whose they are, how to tell damage, and the metadata.
///
/// Pure. All numbers are little-endian:
///
///      0   4  "TGE1"
///      4   8  XXH64 of the bytes
///     12   4  how many bytes there are
///     16  16  the first half of the SHA-256 digest of the URL
///     32   m  the metadata
///   32+m   8  XXH64 of everything before
///
/// The digest tells apart URLs whose file names are equal because somebody made two with the same
/// MD5 (row E7). A digest rather than the URL itself: a URL may be longer than an attribute can be,
/// and its secrets don't end up on the disk.
struct EntryRecord: Hashable, Sendable {
    private static let magic = Array("TGE1".utf8)
    private static let headByteCount = 32
    /// The longest encoded record.
    static let maximumByteCount = headByteCount + DiskEntry.maximumMetadataByteCount + 8

    let owner: MessageDigest
    private let checksum: UInt64
    private let byteCount: UInt32
    var metadata: [UInt8]

    /// Describes `entry`.
    ///
    /// Reads all its bytes.
    init(of entry: DiskEntry, owner: MessageDigest) {
        self.owner = owner
        checksum = Checksum.of(entry.bytes)
        byteCount = UInt32(clamping: entry.bytes.count)
        metadata = entry.metadata
    }

    /// Nil if it is not a whole record.
    init?(decoding bytes: [UInt8]) {
        let metadataEnd = bytes.count - 8
        guard (Self.headByteCount + 8...Self.maximumByteCount).contains(bytes.count),
            bytes.starts(with: Self.magic),
            Self.number(bytes[metadataEnd...]) == Checksum.of(Array(bytes[..<metadataEnd]))
        else { return nil }
        checksum = Self.number(bytes[4..<12])
        byteCount = UInt32(truncatingIfNeeded: Self.number(bytes[12..<16]))
        owner = MessageDigest(
            high: Self.number(bytes[16..<24]),
            low: Self.number(bytes[24..<32])
        )
        metadata = Array(bytes[Self.headByteCount..<metadataEnd])
    }

    func encoded() -> [UInt8] {
        var result = Self.magic
        Self.append(checksum, byteCount: 8, to: &result)
        Self.append(UInt64(byteCount), byteCount: 4, to: &result)
        Self.append(owner.high, byteCount: 8, to: &result)
        Self.append(owner.low, byteCount: 8, to: &result)
        result += metadata
        Self.append(Checksum.of(result), byteCount: 8, to: &result)
        return result
    }

    /// Whether these are the bytes that were stored.
    func describes(_ bytes: [UInt8]) -> Bool {
        bytes.count == Int(byteCount) && Checksum.of(bytes) == checksum
    }

    private static func append(_ value: UInt64, byteCount: Int, to bytes: inout [UInt8]) {
        for index in 0..<byteCount {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
