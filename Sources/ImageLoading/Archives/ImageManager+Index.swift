internal import Glibc

/// Directories of archives that took long to read, kept in the disk cache: they count in its budget, are
/// checked as bodies are, and go when it is cleared.
extension ImageManager {
    /// What was kept of an archive; nil if it was written again since, or nothing is kept.
    package func archiveIndex(ofPath path: [UInt8], stamp: ArchiveStamp) async -> [UInt8]? {
        guard let url = Self.indexURL(path, stamp) else { return nil }
        return await engine.cache.disk?.data(for: url)
    }

    /// Keeps what is to be known of an archive at the next start.
    package func keepArchiveIndex(_ bytes: [UInt8], ofPath path: [UInt8], stamp: ArchiveStamp) {
        guard let url = Self.indexURL(path, stamp) else { return }
        engine.cache.disk?.store(bytes, for: url)
    }

    /// A name that no picture has.
    private static func indexURL(_ path: [UInt8], _ stamp: ArchiveStamp) -> ImageURL? {
        guard (try? MessageDigest.requireLibrary()) != nil else { return nil }
        var url = ImageURL(filePath: "/index")
        url?.cacheName = "\(ArchivedFile.prefix(ofArchive: path))index&\(stamp.text)"
        return url
    }
}
