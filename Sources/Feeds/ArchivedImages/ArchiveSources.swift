public import ImageLoading
internal import SystemSupport

/// Data sources for images in archives.
///
/// Add them to the image manager's configuration.
public enum ArchiveSources {
    /// Returns new data sources, keyed by URL scheme.
    ///
    /// The scheme is `archive` for tar and zip archives on this machine, and `archive+http` or
    /// `archive+https` for archives on servers.
    ///
    ///     configuration.sources = ArchiveSources.all()
    ///
    /// Feeds from the network cannot refer to local archives.
    public static func all() -> [String: any ImageDataSource] {
        let remote = RemoteArchiveSource()
        return [
            ArchivedFile.scheme: LocalArchiveSource(), "archive+http": remote,
            "archive+https": remote,
        ]
    }
}

/// The source of images in local archives.
private struct LocalArchiveSource: ImageDataSource {
    func location(of url: ImageURL) throws(ImageLoadingError) -> ImageDataLocation {
        guard let file = ArchivedFile(url: url.absoluteString) else {
            throw .invalidURL(url.absoluteString, because: "names no file in an archive")
        }
        return .local(file)
    }
}

/// The source of images in remote archives; each image is requested separately.
///
/// If an archive has changed on its server, its directory is read again, at most once for each
/// version of the archive.
private final class RemoteArchiveSource: ImageDataSource {
    private struct Version: Hashable {
        /// The URL of the archive.
        let archive: String
        /// The archive's validator (RFC 9110, 8.8) and its length, combined into one string.
        let stamp: String
        let origin: RequestOrigin
    }

    private let reopened = Protected<[Version: ReopenedArchive]>([:])

    /// Whether feeds from the network may contain images from this source.
    ///
    /// Always true, because a remote archive is a resource of its server like any other.
    let isAvailableToRemoteFeeds = true

    func location(of url: ImageURL) throws(ImageLoadingError) -> ImageDataLocation {
        guard let file = RemoteArchivedFile(url: url.absoluteString) else {
            throw .invalidURL(url.absoluteString, because: "names no file in an archive")
        }
        return .part(file.part)
    }

    func currentURL(
        of url: ImageURL,
        reading network: NetworkReader
    ) async throws(ImageLoadingError) -> String? {
        let url = url.absoluteString
        guard let file = RemoteArchivedFile(url: url) else { return nil }
        let version = Version(
            archive: file.archive,
            stamp: "\(file.validator ?? "")&\(file.archiveByteCount ?? 0)",
            origin: network.origin
        )
        let archive = reopened.withLock { reopened in
            if let archive = reopened[version] { return archive }
            let archive = ReopenedArchive(file.archive, network)
            reopened[version] = archive
            return archive
        }
        return try await archive.url(of: RemoteArchivedFile.name(inURL: url))
    }
}
