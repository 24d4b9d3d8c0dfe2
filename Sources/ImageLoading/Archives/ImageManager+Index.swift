internal import Glibc

/// The identity of one version of an archive; other versions may have different directories.
package enum ArchiveVersion: Sendable {
    /// An archive in a file on this machine.
    case file(path: [UInt8], stamp: ArchiveStamp)
    /// An archive on a server, which distinguishes versions by a validator (RFC 9110, section 8.8).
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

/// Storage in the disk cache for directories of archives that took long to read.
///
/// Stored directories count toward the budget of the cache, are checked like bodies, and are
/// removed when the cache is cleared.
extension ImageManager {
    /// Returns the stored directory of an archive, or nil if the archive has changed or nothing is
    /// stored.
    package func archiveIndex(of archive: ArchiveVersion) async -> [UInt8]? {
        guard let url = Self.indexURL(archive) else { return nil }
        return await engine.cache.disk?.data(for: url)
    }

    /// Stores the directory of an archive for the next start of the program.
    package func keepArchiveIndex(_ bytes: [UInt8], of archive: ArchiveVersion) {
        guard let url = Self.indexURL(archive) else { return }
        engine.cache.disk?.store(bytes, for: url)
    }

    /// Returns a URL with a cache name that no image has.
    private static func indexURL(_ archive: ArchiveVersion) -> ImageURL? {
        guard (try? MessageDigest.requireLibrary()) != nil else { return nil }
        var url = ImageURL(filePath: "/index")
        url?.cacheName = archive.name
        return url
    }
}
