/// The location of a zip archive's directory, as declared by the record at the end of the archive.
///
///     [local header  data] …  directory  [end of zip64  its locator]  end  comment
package struct ZipEnd: Hashable, Sendable {
    /// The offset of the directory in the file.
    package let directoryOffset: Int
    /// The length of the directory in bytes.
    package let directoryByteCount: Int
    /// The declared number of members.
    package let count: Int
    /// The number of bytes in the file that the declared offset of the directory does not include.
    ///
    /// These bytes precede the archive (such as the program of a self-extracting zip), or they
    /// precede or follow the directory.
    package let shift: Int

    /// The number of bytes to search at the end of a file.
    ///
    /// This part contains the end record, its comment, and the zip64 data before the record.
    package static let searchByteCount = 22 + 65_535 + 76

    private static let recordByteCount = 22
    private static let wideByteCount = 56 + 20

    /// Creates the location from the record in the last `searchByteCount` bytes of a file; returns
    /// nil if the record is missing or invalid.
    package init?(inLast bytes: [UInt8], ofFileOf fileByteCount: Int) {
        let found = bytes.withUnsafeBufferPointer { buffer -> Fields? in
            guard let place = Self.place(in: buffer) else { return nil }
            return Fields(buffer[...], at: place)
        }
        guard let found else { return nil }
        let end = fileByteCount - bytes.count + found.place
        let start = end - found.directoryByteCount
        guard found.directoryByteCount >= 0, start >= 0, found.offset <= start else { return nil }
        directoryOffset = start
        directoryByteCount = found.directoryByteCount
        count = found.count
        shift = start - found.offset
    }

    private struct Fields {
        /// The position at which the directory ends in the searched bytes.
        var place: Int
        var count: Int
        var directoryByteCount: Int
        var offset: Int

        init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, at place: Int) {
            let record = bytes[place...]
            self.place = place
            count = record.number(at: 10, byteCount: 2)
            directoryByteCount = record.number(at: 12, byteCount: 4)
            offset = record.number(at: 16, byteCount: 4)
            guard place >= wideByteCount,
                bytes[(place - 20)...].number(at: 0, byteCount: 4) == 0x0706_4B50
            else { return }
            let wide = bytes[(place - wideByteCount)...]
            guard wide.number(at: 0, byteCount: 4) == 0x0606_4B50 else { return }
            self.place = place - wideByteCount
            count = wide.number(at: 32, byteCount: 8)
            directoryByteCount = wide.number(at: 40, byteCount: 8)
            offset = wide.number(at: 48, byteCount: 8)
        }
    }

    /// Returns the position of the last end record with a comment that ends at the end of the file.
    ///
    /// If other data follows the archive, no record matches. In this case, returns the position of
    /// the last record whose comment fits into the file.
    private static func place(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = bytes.count - recordByteCount
        var followed: Int?
        while place >= 0 {
            let record = bytes[place...]
            if record.number(at: 0, byteCount: 4) == 0x0605_4B50 {
                let end = place + recordByteCount + record.number(at: 20, byteCount: 2)
                // A comment may contain bytes that look like a record.
                if end == bytes.count { return place }
                if end < bytes.count { followed = followed ?? place }
            }
            place -= 1
        }
        return followed
    }
}

/// Reads the directory of a zip archive, one member at a time.
///
/// Like `TarReader`, the reader performs no I/O. Sizes and offsets are taken from the directory;
/// local headers are checked only when a member is read.
///
/// If the file has bytes that the declared offsets do not include (`ZipEnd.shift`), the reader
/// looks for the first entry and the first local header to locate these bytes.
package struct ZipDirectory: Sendable {
    private enum Check {
        /// The first entry has not been read.
        case directory
        /// `position` is the expected offset of the first local header, with `shift` added or not.
        case localHeader(isShifted: Bool)
        case done
    }

    /// The offset in the file at which the next step reads.
    package private(set) var position: Int
    private var start: Int
    private let byteCount: Int
    /// The number of bytes to add to the offsets of local headers.
    private var shift: Int
    private var check: Check
    private let charset: Charset?

    private static let headerByteCount = 46

    /// Creates a reader at the start of a directory.
    ///
    /// `charset` is the character set of names that are not in UTF-8, or nil for code page 437.
    package init(_ end: ZipEnd, charset: Charset? = nil) {
        self.charset = charset
        position = end.directoryOffset
        start = position
        byteCount = end.directoryByteCount
        shift = end.shift
        check = shift > 0 ? .directory : .done
    }

    private var end: Int { start + byteCount }

    /// Reads the next member from `bytes`, which must start at `position`.
    ///
    /// `isEnd` is true if no more bytes follow.
    package mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> ArchiveStep {
        if case .localHeader(let isShifted) = check {
            return checkLocalHeader(bytes, isShifted: isShifted, isEnd: isEnd)
        }
        guard position < end else { return .end(isCut: false) }
        let entry = bytes.prefix(end - position)
        guard entry.count >= Self.headerByteCount else {
            return lack(Self.headerByteCount, isEnd: isEnd)
        }
        guard entry.number(at: 0, byteCount: 4) == 0x0201_4B50 else {
            guard case .directory = check else {
                return .damaged("has an invalid entry in its directory")
            }
            // There are other bytes between the directory and the end record.
            begin(at: start - shift, shift: 0)
            return .moved
        }
        if case .directory = check {
            check = .localHeader(isShifted: true)
            position = Self.sizes(entry, entry.prefix(0)).header + shift
            return .moved
        }
        let lengths = [28, 30, 32].map { entry.number(at: $0, byteCount: 2) }
        let whole = Self.headerByteCount + lengths.reduce(0, +)
        guard entry.count >= whole else { return lack(whole, isEnd: isEnd) }
        position += whole
        return .member(
            member(entry.prefix(whole), nameByteCount: lengths[0], extraByteCount: lengths[1])
        )
    }

    /// Starts reading the directory after checking for the first local header.
    ///
    /// The bytes that the offsets do not include are assumed to precede the archive. If the header
    /// is found only at its unshifted offset, they precede the directory.
    private mutating func checkLocalHeader(
        _ bytes: UnsafeBufferPointer<UInt8>,
        isShifted: Bool,
        isEnd: Bool
    ) -> ArchiveStep {
        guard bytes.count >= 4 || isEnd else { return .needs(4) }
        let isFound = bytes.starts(with: [0x50, 0x4B, 3, 4])
        if isShifted, !isFound {
            check = .localHeader(isShifted: false)
            position -= shift
        } else {
            begin(at: start, shift: isShifted || !isFound ? shift : 0)
        }
        return .moved
    }

    private mutating func begin(at start: Int, shift: Int) {
        (self.start, self.shift) = (start, shift)
        position = start
        check = .done
    }

    private func lack(_ count: Int, isEnd: Bool) -> ArchiveStep {
        let isCut = isEnd || position + count > end
        return isCut ? .damaged("has a truncated directory") : .needs(count)
    }

    private func member(
        _ entry: Slice<UnsafeBufferPointer<UInt8>>,
        nameByteCount: Int,
        extraByteCount: Int
    ) -> ArchiveMember {
        let flags = entry.number(at: 8, byteCount: 2)
        let method = entry.number(at: 10, byteCount: 2)
        let name = entry.dropFirst(Self.headerByteCount).prefix(nameByteCount)
        let extra = entry.dropFirst(Self.headerByteCount + nameByteCount).prefix(extraByteCount)
        let sizes = Self.sizes(entry, extra)
        let unicodeName = Self.unicodeName(extra, of: name)
        let isLink =
            entry.number(at: 5, byteCount: 1) == 3
            && entry.number(at: 38, byteCount: 4) >> 28 == 0xA
        let kind: ArchiveMember.Kind =
            if name.last == UInt8(ascii: "/") {
                .folder
            } else if isLink {
                .link
            } else if flags & 0x2041 != 0 {
                .unreadable("encrypted")
            } else if method != 0 && method != 8 {
                .unreadable(
                    "compressed with \(Self.name(ofMethod: method)), which is not supported"
                )
            } else {
                .file
            }
        return ArchiveMember(
            name: unicodeName
                ?? ZipNames.utf8(
                    name.prefix(ArchiveMember.maximumNameByteCount),
                    flags,
                    charset: charset
                ),
            kind: kind,
            byteCount: sizes.whole,
            place: .zip(
                header: sizes.header + shift,
                deflatedByteCount: method == 8 ? sizes.packed : nil,
                crc32: UInt32(truncatingIfNeeded: entry.number(at: 16, byteCount: 4))
            )
        )
    }

    /// Returns the uncompressed size, the compressed size, and the offset of the local header.
    ///
    /// Numbers that do not fit into the directory entry are stored in its zip64 field, in this
    /// order.
    private static func sizes(
        _ entry: Slice<UnsafeBufferPointer<UInt8>>,
        _ extra: Slice<UnsafeBufferPointer<UInt8>>
    ) -> (whole: Int, packed: Int, header: Int) {
        var numbers = [24, 20, 42].map { entry.number(at: $0, byteCount: 4) }
        for var field in fields(1, in: extra) {
            for index in numbers.indices where numbers[index] == 0xFFFF_FFFF && field.count >= 8 {
                numbers[index] = min(field.number(at: 0, byteCount: 8), 1 << 60)
                field = field.dropFirst(8)
            }
        }
        return (numbers[0], numbers[1], numbers[2])
    }

    /// Returns the UTF-8 name in the Info-ZIP field (0x7075), or nil if the field is missing or
    /// outdated.
    ///
    /// The field contains the checksum of `name`, the name in the directory entry. If `name` has a
    /// different checksum, the field is outdated, because a program that does not support the field
    /// has renamed the member (APPNOTE 4.6.9).
    private static func unicodeName(
        _ extra: Slice<UnsafeBufferPointer<UInt8>>,
        of name: Slice<UnsafeBufferPointer<UInt8>>
    ) -> [UInt8]? {
        for field in fields(0x7075, in: extra) {
            // The UTF-8 name follows a version and the CRC-32 of the name in the entry.
            guard field.first == 1, field.count > 5,
                field.number(at: 1, byteCount: 4) == Int(ZipChecksum(of: Array(name)).value)
            else { continue }
            let name = field.dropFirst(5).prefix(ArchiveMember.maximumNameByteCount)
            return String(validating: name, as: UTF8.self) == nil ? nil : Array(name)
        }
        return nil
    }

    /// Returns the contents of an entry's extra fields with the identifier `id`.
    private static func fields(
        _ id: Int,
        in extra: Slice<UnsafeBufferPointer<UInt8>>
    ) -> [Slice<UnsafeBufferPointer<UInt8>>] {
        var found: [Slice<UnsafeBufferPointer<UInt8>>] = []
        var rest = extra
        while rest.count >= 4 {
            let field = rest.dropFirst(4).prefix(rest.number(at: 2, byteCount: 2))
            if rest.number(at: 0, byteCount: 2) == id { found.append(field) }
            rest = rest.dropFirst(4 + field.count)
        }
        return found
    }

    private static func name(ofMethod method: Int) -> String {
        let names = [
            6: "imploding", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ",
            99: "AES",
        ]
        return names[method] ?? "method \(method)"
    }
}
