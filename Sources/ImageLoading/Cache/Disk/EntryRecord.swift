internal import CLinux

/// The record of an entry: the digest of its URL, a checksum of its bytes, and its metadata.
///
/// This type performs no I/O. The encoded record has these fields, with offset, size and content.
/// All numbers are little-endian:
///
///        0   4  "TGE1"
///        4   8  XXH64 of the bytes
///       12   4  the number of bytes
///       16  16  the first half of the SHA-256 digest of the URL
///       32   m  the metadata
///     32+m   8  XXH64 of everything before
///
/// The digest distinguishes URLs with the same file name. An attacker can construct such URLs if
/// files are named by MD5. The URL itself is not stored, because it may be too long for an
/// attribute and may contain secrets that must not end up on the disk.
struct EntryRecord: Hashable, Sendable {
    private static let magic = Array("TGE1".utf8)
    private static let headByteCount = 32
    /// The maximum size of an encoded record in bytes.
    static let maximumByteCount = headByteCount + DiskEntry.maximumMetadataByteCount + 8

    let owner: MessageDigest
    let content: ContentChecksum
    var metadata: [UInt8]

    /// Creates a record that describes `entry`.
    ///
    /// The initializer reads all bytes of the entry to compute their checksum.
    init(of entry: DiskEntry, owner: MessageDigest) {
        self.owner = owner
        content = ContentChecksum(of: entry.bytes)
        metadata = entry.metadata
    }

    /// Creates a record from its encoded form; returns nil if the bytes are not a complete record.
    init?(decoding bytes: [UInt8]) {
        let metadataEnd = bytes.count - 8
        guard (Self.headByteCount + 8...Self.maximumByteCount).contains(bytes.count),
            bytes.starts(with: Self.magic),
            bytes[metadataEnd...].littleEndian == Checksum.of(Array(bytes[..<metadataEnd]))
        else { return nil }
        content = ContentChecksum(decoding: bytes[4..<16])
        owner = MessageDigest(
            high: bytes[16..<24].littleEndian,
            low: bytes[24..<32].littleEndian
        )
        metadata = Array(bytes[Self.headByteCount..<metadataEnd])
    }

    func encoded() -> [UInt8] {
        var result = Self.magic
        result += content.encoded()
        result.append(littleEndian: owner.high, byteCount: 8)
        result.append(littleEndian: owner.low, byteCount: 8)
        result += metadata
        result.append(littleEndian: Checksum.of(result), byteCount: 8)
        return result
    }

    /// Returns whether the length and the checksum of `bytes` match the record.
    func describes(_ bytes: [UInt8]) -> Bool {
        bytes.count == Int(content.byteCount) && ContentChecksum(of: bytes) == content
    }
}

/// The checksum and the length of a body, which identify its content.
struct ContentChecksum: Hashable, Sendable {
    static let encodedByteCount = 12

    let value: UInt64
    let byteCount: UInt32

    /// Creates the checksum of all bytes; this takes 72 µs per MiB.
    init(of bytes: [UInt8]) {
        value = Checksum.of(bytes)
        byteCount = UInt32(clamping: bytes.count)
    }

    /// Creates a checksum from its encoded form, which has `encodedByteCount` bytes.
    init(decoding bytes: ArraySlice<UInt8>) {
        value = bytes.prefix(8).littleEndian
        byteCount = UInt32(truncatingIfNeeded: bytes.dropFirst(8).littleEndian)
    }

    func encoded() -> [UInt8] {
        var result: [UInt8] = []
        result.append(littleEndian: value, byteCount: 8)
        result.append(littleEndian: UInt64(byteCount), byteCount: 4)
        return result
    }
}

extension [UInt8] {
    /// Appends the lowest `byteCount` bytes of a number, in little-endian order.
    mutating func append(littleEndian value: UInt64, byteCount: Int) {
        for index in 0..<byteCount {
            append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))))
        }
    }
}

extension ArraySlice<UInt8> {
    /// The little-endian number stored in these bytes; at most eight bytes are allowed.
    var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

/// The extended attribute that contains the record of a file.
///
/// ext4 has room for a 4,000-byte attribute. A 50-byte attribute fits into the file's inode, while
/// an 80-byte attribute takes a separate block. tmpfs has more room, and FAT does not support
/// attributes.
enum FileAttribute {
    static let name = "user.termgallery"

    /// Returns the attribute of an open file.
    ///
    /// Returns nil if the file has no attribute or the file system does not support attributes.
    static func value(of file: Int32) -> [UInt8]? {
        // The buffer has room for one more byte than the longest record, so an attribute that is
        // too long is not mistaken for a record.
        let capacity = EntryRecord.maximumByteCount + 1
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = max(0, fgetxattr(file, name, buffer.baseAddress, capacity))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Removes the attribute of an open file; errors are ignored.
    static func remove(from file: Int32) {
        fremovexattr(file, name)
    }
}

/// The XXH64 checksum with seed 0, which detects damage and is as fast as reading memory.
///
/// It does not protect against attacks, because an attacker who can change a body can also change
/// its checksum. The algorithm follows the xxHash specification 0.2.0, "XXH64 algorithm
/// description". Hashing 1 MiB takes 72 µs; OpenSSL takes 560 µs for SHA-256 and 1,300 µs for MD5.
enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    static func of(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes(of)
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let stripes = bytes.count / 32
        var hash = stripes > 0 ? hash(ofStripes: stripes, in: bytes) : prime5
        hash &+= UInt64(bytes.count)
        hash = absorb(UnsafeRawBufferPointer(rebasing: bytes[(stripes * 32)...]), into: hash)
        return avalanche(hash)
    }

    /// Hashes `count` blocks of 32 bytes.
    ///
    /// The processor hashes the four 8-byte parts of a block in parallel.
    private static func hash(ofStripes count: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        var (first, second) = (prime1 &+ prime2, prime2)
        var (third, fourth) = (UInt64(0), 0 &- prime1)
        for offset in stride(from: 0, to: count * 32, by: 32) {
            first = round(first, word(bytes, offset))
            second = round(second, word(bytes, offset + 8))
            third = round(third, word(bytes, offset + 16))
            fourth = round(fourth, word(bytes, offset + 24))
        }
        let sum = rotate(first, 1) &+ rotate(second, 7) &+ rotate(third, 12) &+ rotate(fourth, 18)
        return [first, second, third, fourth].reduce(sum) { hash, lane in
            (hash ^ round(0, lane)) &* prime1 &+ prime4
        }
    }

    /// Adds the bytes after the last 32-byte block (at most 31) to a hash.
    private static func absorb(_ rest: UnsafeRawBufferPointer, into hash: UInt64) -> UInt64 {
        var hash = hash
        var offset = 0
        while offset + 8 <= rest.count {
            hash = rotate(hash ^ round(0, word(rest, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset + 4 <= rest.count {
            let half = rest.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let input = UInt64(UInt32(littleEndian: half)) &* prime1
            hash = rotate(hash ^ input, 23) &* prime2 &+ prime3
            offset += 4
        }
        for byte in rest[offset...] {
            hash = rotate(hash ^ (UInt64(byte) &* prime5), 11) &* prime1
        }
        return hash
    }

    private static func avalanche(_ hash: UInt64) -> UInt64 {
        var hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
        value &<< count | value &>> (64 &- count)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
