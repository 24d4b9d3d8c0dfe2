/// Reads the directories of a TIFF file (TIFF 6.0, section 2), a BigTIFF file, or a camera's RAW
/// file that replaces 42 by another number.
///
///     "II" or "MM" | 42 (16) | offset of the first directory (32)
///     "II" or "MM" | 43 (16) | 8 (16) | 0 (16) | offset of the first directory (64)
///
/// An entry consists of a tag (16), a type (16), the number of values, and the values or their
/// offset. The last two fields have 32 bits each, or 64 bits in a BigTIFF file. All numbers are
/// untrusted. Reading past the end of the file returns nil.
struct TIFFDirectories {
    /// The maximum number of entries that are read in a directory; cameras write fewer than 100.
    private static let maximumEntryCount = 4_096
    /// The maximum number of directories in a file, and of nested directories in one directory;
    /// cameras write up to 10.
    private static let maximumCount = 64
    /// The tag with the offsets of nested directories (SubIFDs).
    private static let childrenTag = 330

    /// The entries of a directory, and the offset of the next directory.
    struct Directory {
        let offset: Int
        /// The offset of the first entry for each tag.
        fileprivate let entries: [Int: Int]
        /// The offset of the next directory, or nil if the directory is the last one.
        let next: Int?
    }

    let file: UnsafeBufferPointer<UInt8>
    private let isBigEndian: Bool
    /// Whether counts and offsets have 64 bits, as in a BigTIFF file.
    private let isBig: Bool

    /// Creates a reader for `file`; returns nil if `file` does not start with a TIFF header.
    init?(_ file: UnsafeBufferPointer<UInt8>) {
        guard file.count >= 8, file[0] == file[1], [0x49, 0x4D].contains(file[0]) else {
            return nil
        }
        self.file = file
        isBigEndian = file[0] == 0x4D
        isBig = (isBigEndian ? file[3] : file[2]) == 43
    }

    /// Creates a reader of a part of `file` whose offsets are relative to the start of the part.
    ///
    /// The notes of some camera makers are such parts.
    private init(_ file: UnsafeBufferPointer<UInt8>, isBigEndian: Bool) {
        self.file = file
        self.isBigEndian = isBigEndian
        isBig = false
    }

    /// Returns a reader of the rest of the file from `offset` on, or nil if the file ends before.
    func rest(from offset: Int) -> TIFFDirectories? {
        guard offset >= 0, offset < file.count else { return nil }
        let rest = UnsafeBufferPointer(rebasing: file[offset...])
        return TIFFDirectories(rest, isBigEndian: isBigEndian)
    }

    /// The offset of the first directory.
    var first: Int? { isBig ? number(at: 8, byteCount: 8) : number(at: 4, byteCount: 4) }

    /// Returns the directory at `offset`, or nil if it is out of bounds or has too many entries.
    func directory(at offset: Int) -> Directory? {
        let (countSize, entrySize, linkSize) = isBig ? (8, 20, 8) : (2, 12, 4)
        guard offset > 0, let count = number(at: offset, byteCount: countSize),
            count <= Self.maximumEntryCount
        else { return nil }
        var entries: [Int: Int] = [:]
        let start = offset + countSize
        for entry in stride(from: start, to: start + count * entrySize, by: entrySize) {
            guard let tag = number(at: entry, byteCount: 2) else { return nil }
            if entries[tag] == nil { entries[tag] = entry }
        }
        let next = number(at: start + count * entrySize, byteCount: linkSize)
        return Directory(offset: offset, entries: entries, next: next == 0 ? nil : next)
    }

    /// Returns `first`, the directories that follow it, and their nested directories, each only
    /// once.
    func all(from first: Directory) -> [Directory] {
        var found = [first]
        var seen: Set = [first.offset]
        var index = 0
        while index < found.count, found.count < Self.maximumCount {
            let parent = found[index]
            index += 1
            let children = values(ofTag: Self.childrenTag, in: parent, limit: Self.maximumCount)
            for offset in [parent.next].compactMap({ $0 }) + children
            where found.count < Self.maximumCount && seen.insert(offset).inserted {
                if let next = directory(at: offset) { found.append(next) }
            }
        }
        return found
    }

    /// Returns the first value for `tag`.
    func value(ofTag tag: Int, in directory: Directory) -> Int? {
        values(ofTag: tag, in: directory, limit: 1).first
    }

    /// Returns the number of values for `tag`.
    func valueCount(ofTag tag: Int, in directory: Directory) -> Int {
        directory.entries[tag].flatMap { number(at: $0 + 4, byteCount: isBig ? 8 : 4) } ?? 0
    }

    /// Returns up to `limit` unsigned values for `tag`.
    func values(ofTag tag: Int, in directory: Directory, limit: Int) -> [Int] {
        guard let entry = directory.entries[tag],
            let byteCount = number(at: entry + 2, byteCount: 2).flatMap(Self.byteCount)
        else { return [] }
        let wordSize = isBig ? 8 : 4
        let count = min(valueCount(ofTag: tag, in: directory), limit)
        let isInline = valueCount(ofTag: tag, in: directory) <= wordSize / byteCount
        let field = entry + 4 + wordSize
        guard let start = isInline ? field : number(at: field, byteCount: wordSize) else {
            return []
        }
        return (0..<count).lazy.map { number(at: start + $0 * byteCount, byteCount: byteCount) }
            .prefix { $0 != nil }.compactMap { $0 }
    }

    /// Returns the offset and the declared number of the bytes for `tag`, or nil if the type is not
    /// UNDEFINED or if the bytes are stored in the entry itself.
    func block(ofTag tag: Int, in directory: Directory) -> (start: Int, byteCount: Int)? {
        let count = valueCount(ofTag: tag, in: directory)
        let wordSize = isBig ? 8 : 4
        guard count > wordSize, let entry = directory.entries[tag],
            number(at: entry + 2, byteCount: 2) == Self.undefinedType,
            let start = number(at: entry + 4 + wordSize, byteCount: wordSize)
        else { return nil }
        return (start, count)
    }

    private static let undefinedType = 7

    /// Returns the number of bytes in a value of this type, or nil if the type is not an unsigned
    /// integer.
    ///
    /// Unsigned types are BYTE, SHORT, LONG, IFD, LONG8 and IFD8.
    private static func byteCount(ofType type: Int) -> Int? {
        [1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8][type]
    }

    /// Returns an unsigned number, or nil if it is outside the file or does not fit into an `Int`.
    private func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= file.count - byteCount else { return nil }
        let bytes = file[offset..<offset + byteCount]
        let value =
            isBigEndian
            ? bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            : bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
