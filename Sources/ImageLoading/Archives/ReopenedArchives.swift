import SystemSupport

/// The archives on servers whose directories can be read again to find a member after an archive
/// has changed.
///
/// Thread-safe.
final class ReopenedArchives: Sendable {
    /// Returns the URL of a member in the current version of an archive, or nil if that version
    /// does not contain the member.
    ///
    /// The parameter is the URL of the member up to its question mark, without the place of the
    /// member and the version of the archive.
    typealias Finder = @Sendable (_ member: String) async -> Result<String?, ImageLoadingError>

    private let finders = Protected<[String: Finder]>([:])

    /// Sets the function that finds the members of an archive.
    func set(_ finder: @escaping Finder, for archive: String) {
        finders.withLock { $0[archive] = finder }
    }

    /// Returns the URL of a member in the current version of its archive, after a transfer failed
    /// because the archive has changed.
    ///
    /// Throws `error` if the transfer failed for another reason or if the archive has no finder.
    /// Also throws if the finder fails, or if the archive no longer contains the member.
    func url(
        of member: String,
        after error: ImageLoadingError
    ) async throws(ImageLoadingError) -> String {
        guard case .dataSource(let text) = error.reason, ArchiveValidator.isChange(text),
            let file = RemoteArchivedFile(url: member),
            let finder = finders.withLock({ $0[file.archive] })
        else { throw error }
        guard let url = try await finder(RemoteArchivedFile.name(inURL: member)).get() else {
            throw .download(.dataSource(ArchiveValidator.missing))
        }
        return url
    }
}

extension ImageManager {
    /// Sets the function that finds the members of an archive on a server after it has changed.
    ///
    /// `finder` returns the URL of a member in the current version, or nil if that version does not
    /// contain the member.
    package func reopenArchive(
        at url: String,
        with finder:
            @escaping @Sendable (_ member: String) async -> Result<String?, ImageLoadingError>
    ) {
        engine.archives.set(finder, for: url)
    }
}
