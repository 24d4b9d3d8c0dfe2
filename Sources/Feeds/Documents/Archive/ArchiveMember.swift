/// A member of an archive, as described by its header or directory entry.
package struct ArchiveMember: Hashable, Sendable {
    /// The type of a member.
    package enum Kind: Hashable, Sendable {
        /// A file that can be read.
        case file
        case folder
        /// A symbolic link.
        case link
        /// A hard link: another name for the member with this path.
        case hardLink(to: [UInt8])
        /// A device, a pipe, or a type that only a specific program supports.
        case other
        /// A file that cannot be read; the text is the reason.
        case unreadable(String)
    }

    /// The location of a member's bytes.
    package enum Place: Hashable, Sendable {
        /// The bytes are stored without compression at an offset.
        case plain(offset: Int)
        /// The bytes follow a local zip header at an offset.
        ///
        /// `deflatedByteCount` is the compressed size, or nil if the bytes are not compressed.
        case zip(header: Int, deflatedByteCount: Int?, crc32: UInt32)
    }

    /// The bytes of the path, usually UTF-8.
    package let name: [UInt8]
    package let kind: Kind
    /// The declared size in bytes.
    package let byteCount: Int
    package let place: Place

    /// Returns this member as a file that cannot be read.
    func unreadable(because reason: String) -> ArchiveMember {
        ArchiveMember(name: name, kind: .unreadable(reason), byteCount: byteCount, place: place)
    }

    /// The maximum length of a name in bytes; a Linux path has at most 4 KiB.
    package static let maximumNameByteCount = 4 << 10
}

/// The result of one step in reading an archive's directory.
package enum ArchiveStep: Hashable, Sendable {
    /// The reader needs at least this many bytes, starting at its position.
    case needs(Int)
    /// The reader moved to another position and must be called again.
    case moved
    /// The next member.
    case member(ArchiveMember)
    /// There are no more members; `isCut` is true if the bytes end too early.
    case end(isCut: Bool)
    /// The reader cannot continue; the text completes "the archive …".
    case damaged(String)
}

/// Accessors for numbers and names in binary headers.
extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Returns the little-endian number of `byteCount` bytes that starts at the offset `distance`.
    package func number(at distance: Int, byteCount: Int) -> Int {
        let start = startIndex + distance
        let value = self[start..<start + byteCount].reversed().reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        // The limit exceeds the size of any file, and the sum of two such numbers does not
        // overflow.
        return Int(Swift.min(value, 1 << 61))
    }

    /// The bytes before the first NUL byte.
    package var beforeZero: Self { prefix { $0 != 0 } }
}
