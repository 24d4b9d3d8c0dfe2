internal import ImageLoading

/// The prefix and the suffix shared by the URLs of all images in an archive.
package struct ArchiveBase: Hashable, Sendable {
    private let prefix: String
    private let suffix: String
    /// The file with the unpacked bytes, or nil if the archive itself is read.
    ///
    /// This reference keeps the file open as long as its images may be requested.
    private let copy: UnpackedCopy?

    /// Creates the prefix and suffix for a local archive.
    ///
    /// `path` is the absolute path of the archive as bytes.
    package init(path: [UInt8], stamp: ArchiveStamp) {
        prefix = ArchivedFile.prefix(ofArchive: path)
        suffix = ArchivedFile.suffix(stamp)
        copy = nil
    }

    /// Creates the prefix and suffix for an unpacked archive, or returns nil if the status of the
    /// file with its unpacked bytes cannot be read.
    package init?(path: [UInt8], copy: UnpackedCopy) {
        guard let stamp = copy.stamp else { return nil }
        prefix = ArchivedFile.prefix(ofArchive: path)
        suffix = ArchivedFile.suffix(stamp, descriptor: copy.descriptor)
        self.copy = copy
    }

    /// Creates the prefix and suffix for a remote archive that is read in parts, or returns nil if
    /// no path can be appended to `url`.
    package init?(url: String, validator: String?, byteCount: Int) {
        guard let prefix = RemoteArchivedFile.prefix(ofArchive: url) else { return nil }
        self.prefix = prefix
        suffix = RemoteArchivedFile.suffix(validator, archiveByteCount: byteCount)
        copy = nil
    }

    /// Returns the URL of a member, or nil if the archive is remote or the member is unreadable.
    package func file(_ member: ArchiveMember) -> ArchivedFile? {
        ArchivedFile(url: prefix + ArchiveLines.reference(member) + suffix)
    }

    /// Returns the feed item for a member of the archive.
    ///
    /// `reference` is the text that `ArchiveLines` wrote for the member: its path, location and
    /// length. If `caption` is nil, the item shows the path of the member in the archive.
    package func item(_ reference: String, caption: String?) -> FeedItem {
        let end = reference.utf8.lastIndex(of: UInt8(ascii: "?")) ?? reference.endIndex
        let name = reference[..<end]
        var item = FeedItem(
            url: prefix + reference + suffix,
            caption: caption ?? PercentCoding.decoded(name)
        )
        item.problem = ArchiveLines.problem(of: reference[end...])
        return item
    }
}
