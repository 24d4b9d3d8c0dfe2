/// A member of an archive, as the archive itself tells of it.
public struct ArchiveMember: Hashable, Sendable {
    /// What it is.
    public enum Kind: Hashable, Sendable {
        /// A file whose bytes can be read.
        case file
        /// A folder.
        case folder
        /// A link, by name or to another member.
        case link
        /// A device, a pipe, or something that only one program knows.
        case other
        /// A file whose bytes can't be read; the text says why.
        case unreadable(String)
    }

    /// Where its bytes are.
    public enum Place: Hashable, Sendable {
        /// As they are, from an offset on.
        case plain(offset: Int)
        /// After a zip local header at an offset: stored as they are, or deflated to this many bytes. The
        /// checksum is of the file itself.
        case zip(header: Int, deflatedByteCount: Int?, crc32: UInt32)
    }

    /// The bytes of its path, as a rule UTF-8.
    public let name: [UInt8]
    /// What it is.
    public let kind: Kind
    /// How long it says it is.
    public let byteCount: Int
    /// Where its bytes are.
    public let place: Place

    /// The longest name that is read; a path of Linux has 4 KiB.
    public static let maximumNameByteCount = 4 << 10
}

/// What a reader of an archive's directory came to with the bytes that it was given.
public enum ArchiveStep: Hashable, Sendable {
    /// It needs at least so many bytes from its position on.
    case needs(Int)
    /// It went on to another position, and has to be asked again.
    case moved
    /// A member.
    case member(ArchiveMember)
    /// There is no more; the bytes may end too early.
    case end(isCut: Bool)
    /// It can't go on; the text finishes "the archive …".
    case damaged(String)
}

/// Numbers and names of binary headers.
extension Slice<UnsafeBufferPointer<UInt8>> {
    /// A number of little endian bytes at a distance from the start.
    func number(at distance: Int, byteCount: Int) -> Int {
        let start = startIndex + distance
        let value = self[start..<start + byteCount].reversed().reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        // No file is that long, and no sum of two such numbers overflows.
        return Int(Swift.min(value, 1 << 61))
    }

    /// The bytes up to the first zero.
    var beforeZero: Self { prefix { $0 != 0 } }
}
