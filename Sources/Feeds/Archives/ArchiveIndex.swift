/// The directory of an archive, as stored in the cache.
///
/// It consists of a line with a note for the user (`remark`), followed by the lines that
/// `ArchiveListing` created for the images.
package struct ArchiveIndex: Equatable {
    /// A note for the user about the archive, or nil if the whole archive is shown.
    package let remark: String?
    package let lines: [UInt8]

    /// The start of the first line; it identifies the format of the index.
    private static let mark = "termgallery archive index 2 "
    /// The maximum size of an index in bytes; a larger index would push images out of the cache.
    package static let largestByteCount = 48 << 20

    /// Returns whether storing an index saves a noticeable amount of time.
    ///
    /// If an archive has only a few images, its directory can be read without a noticeable delay.
    /// The minimum is lower for a remote archive, because reading its directory may require a
    /// request for each image.
    package static func isWorthKeeping(_ pictureCount: Int, _ archive: ArchiveVersion) -> Bool {
        switch archive {
        case .file: pictureCount >= 2000
        case .remote: pictureCount >= 100
        }
    }

    package init(remark: String?, lines: [UInt8]) {
        (self.remark, self.lines) = (remark, lines)
    }

    /// Parses the bytes of an index, or returns nil if they have a different format.
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.mark.utf8),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let remark = bytes[Self.mark.utf8.count..<end]
        self.remark = remark.isEmpty ? nil : String(decoding: remark, as: UTF8.self)
        lines = Array(bytes[(end + 1)...])
    }

    package var bytes: [UInt8] {
        let remark = (remark ?? "").replacing("\n", with: " ")
        return Array("\(Self.mark)\(remark)\n".utf8) + lines
    }
}

/// The identity of one version of an archive; other versions may have different directories.
package enum ArchiveVersion: Sendable {
    /// A version of a local archive file.
    ///
    /// The stamp contains the identity, length and modification time of the file.
    case file(path: [UInt8], stamp: ArchiveStamp)
    /// A version of a remote archive, identified by its validator (RFC 9110, section 8.8) and its
    /// length.
    case remote(url: String, validator: String, byteCount: Int)

    /// The name under which the archive's directory is stored.
    var name: String {
        switch self {
        case .file(let path, let stamp):
            "\(ArchivedFile.prefix(ofArchive: path))index&\(stamp.text)"
        case .remote(let url, let validator, let byteCount):
            "\(ArchivedFile.prefix(ofArchive: Array(url.utf8)))index&\(byteCount)&\(validator)"
        }
    }
}
