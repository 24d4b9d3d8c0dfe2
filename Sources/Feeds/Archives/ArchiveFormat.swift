/// The format of an archive.
///
/// The format is detected from the first 512 bytes (`prefixByteCount`) of the archive or, for a
/// self-extracting zip, from its last bytes.
package enum ArchiveFormat: Equatable {
    case tar
    case zip
    /// A gzip file; the type of its content is unknown until it is unpacked.
    case gzip
    /// An unsupported format; the text is the error message that follows the file name.
    case unreadable(String)

    /// The number of bytes needed to detect the format.
    package static let prefixByteCount = 512

    /// Returns the format, or nil if the bytes are not an archive.
    package static func sniffed(from bytes: [UInt8]) -> ArchiveFormat? {
        if bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6]) {
            return .zip
        }
        if bytes.starts(with: [0x1F, 0x8B, 8]) { return .gzip }
        for (start, name) in packers where bytes.starts(with: start) {
            return .unreadable(
                "is compressed with \(name), which is not supported; decompress it first"
            )
        }
        return ArchiveListing.isTar(bytes) ? .tar : nil
    }

    /// Returns the format of a local file, or nil if it is not an archive.
    ///
    /// A self-extracting zip starts with a program, so it is recognized by its last
    /// `ArchiveListing.zipEndByteCount` bytes.
    package static func detected(
        from start: [UInt8],
        in file: LocalArchive,
        byteCount: Int
    ) throws(FeedError) -> ArchiveFormat? {
        if let format = sniffed(from: start) { return format }
        guard programs.contains(where: start.starts) else { return nil }
        let count = min(byteCount, ArchiveListing.zipEndByteCount)
        let end = try file.read(at: byteCount - count, count: count)
        return ArchiveListing.isZip(end: end, ofFileOf: byteCount) ? .zip : nil
    }

    /// The first bytes of Windows programs, Linux programs and scripts.
    private static let programs = ["MZ", "\u{7F}ELF", "#!"].map { Array($0.utf8) }

    private static let packers: [([UInt8], String)] = [
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "XZ"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27], "7-Zip"), (Array("Rar!".utf8) + [0x1A], "RAR"),
        (Array("BZh".utf8), "bzip2"),
    ]

    /// Returns whether a name has the extension of an archive.
    package static func mayBeArchive(named name: String) -> Bool {
        isZip(named: name) || ends(name, in: [".tar", ".cbt", ".tar.gz", ".tgz"])
    }

    /// Returns whether a URL has the extension of an archive that can be read in parts.
    package static func mayBeReadInParts(_ url: String) -> Bool {
        isZip(named: url) || ends(url, in: [".tar", ".cbt"])
    }

    /// Returns whether a name has the extension of a zip archive.
    package static func isZip(named name: String) -> Bool { ends(name, in: [".zip", ".cbz"]) }

    private static func ends(_ name: String, in suffixes: [String]) -> Bool {
        suffixes.contains(where: name.lowercased().hasSuffix)
    }
}
