import GalleryCore

/// What kind of archive some bytes are, by the first of them.
enum ArchiveFormat: Equatable {
    case tar
    case zip
    /// Bytes that have to be unpacked before it is known what they are.
    case gzip
    /// One that is not read; the text finishes "NAME: …".
    case unreadable(String)

    /// So many bytes at the start tell.
    static let prefixByteCount = 512

    /// Nil if it is none.
    static func sniffed(from bytes: [UInt8]) -> ArchiveFormat? {
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

    private static let packers: [([UInt8], String)] = [
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "XZ"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27], "7-Zip"), (Array("Rar!".utf8) + [0x1A], "RAR"),
        (Array("BZh".utf8), "bzip2"),
    ]

    /// Whether a name says that it is an archive.
    static func mayBeArchive(named name: String) -> Bool {
        isZip(named: name) || ends(name, in: [".tar", ".cbt", ".tar.gz", ".tgz"])
    }

    /// Whether a URL says that it is an archive of which parts can be asked for.
    static func mayBeReadInParts(_ url: String) -> Bool {
        isZip(named: url) || ends(url, in: [".tar", ".cbt"])
    }

    /// Whether a name says that it is a zip archive.
    static func isZip(named name: String) -> Bool { ends(name, in: [".zip", ".cbz"]) }

    private static func ends(_ name: String, in suffixes: [String]) -> Bool {
        suffixes.contains(where: name.lowercased().hasSuffix)
    }
}
