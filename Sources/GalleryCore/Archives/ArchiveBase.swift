internal import FeedDocuments
package import ImageLoading

/// What the addresses of all pictures in an archive have in common.
public struct ArchiveBase: Hashable, Sendable {
    private let prefix: String
    private let suffix: String
    /// Stays open as long as somebody may ask for a picture.
    private let copy: UnpackedCopy?

    /// Of an archive by its absolute path, in bytes.
    package init(path: [UInt8], stamp: ArchiveStamp) {
        prefix = ArchivedFile.prefix(ofArchive: path)
        suffix = ArchivedFile.suffix(stamp)
        copy = nil
    }

    /// Of one that was unpacked; nil if its bytes are gone.
    package init?(path: [UInt8], copy: UnpackedCopy) {
        guard let stamp = copy.stamp else { return nil }
        prefix = ArchivedFile.prefix(ofArchive: path)
        suffix = ArchivedFile.suffix(stamp, descriptor: copy.descriptor)
        self.copy = copy
    }

    /// Of one on a server, which is asked for parts of it; nil of an address that can't be extended.
    package init?(url: String, validator: String?, byteCount: Int) {
        guard let prefix = RemoteArchivedFile.prefix(ofArchive: url) else { return nil }
        self.prefix = prefix
        suffix = RemoteArchivedFile.suffix(validator, archiveByteCount: byteCount)
        copy = nil
    }

    /// A member as it is read.
    func file(_ member: ArchiveMember) -> ArchivedFile? {
        ArchivedFile(url: prefix + ArchiveLines.reference(member) + suffix)
    }

    /// The item of a reference as `ArchiveLines` writes it; shown by its path in the archive, if nothing
    /// else is said of it.
    func item(_ reference: String, caption: String?) -> FeedItem {
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
