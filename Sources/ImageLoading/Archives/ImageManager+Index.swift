internal import Glibc

/// An archive as it is at one time: no other version has its directory.
package enum ArchiveVersion: Sendable {
    /// In a file of this machine.
    case file(path: [UInt8], stamp: ArchiveStamp)
    /// On a server, which tells versions apart by a validator (RFC 9110, section 8.8).
    case remote(url: String, validator: String, byteCount: Int)

    fileprivate var name: String {
        switch self {
        case .file(let path, let stamp):
            "\(ArchivedFile.prefix(ofArchive: path))index&\(stamp.text)"
        case .remote(let url, let validator, let byteCount):
            "\(ArchivedFile.prefix(ofArchive: Array(url.utf8)))index&\(byteCount)&\(validator)"
        }
    }
}

/// Directories of archives that took long to read, kept in the disk cache: they count in its budget, are
/// checked as bodies are, and go when it is cleared.
extension ImageManager {
    /// What was kept of an archive; nil if it is another version now, or nothing is kept.
    package func archiveIndex(of archive: ArchiveVersion) async -> [UInt8]? {
        guard let url = Self.indexURL(archive) else { return nil }
        return await engine.cache.disk?.data(for: url)
    }

    /// Keeps what is to be known of an archive at the next start.
    package func keepArchiveIndex(_ bytes: [UInt8], of archive: ArchiveVersion) {
        guard let url = Self.indexURL(archive) else { return }
        engine.cache.disk?.store(bytes, for: url)
    }

    /// A name that no picture has.
    private static func indexURL(_ archive: ArchiveVersion) -> ImageURL? {
        guard (try? MessageDigest.requireLibrary()) != nil else { return nil }
        var url = ImageURL(filePath: "/index")
        url?.cacheName = archive.name
        return url
    }
}
