import SystemSupport

/// The archives on servers whose directories can be read again, for members whose archive has
/// changed since.
///
/// Thread-safe.
final class ReopenedArchives: Sendable {
    /// Returns the URL of a member in the present version of an archive, or nil if it has no such
    /// member.
    ///
    /// The parameter is the URL of the member up to its place in the archive.
    typealias Finder = @Sendable (_ member: String) async -> Result<String?, ImageLoadingError>

    private let finders = Protected<[String: Finder]>([:])

    /// Sets the function that finds the members of an archive.
    func set(_ finder: @escaping Finder, for archive: String) {
        finders.withLock { $0[archive] = finder }
    }

    /// Returns the URL of a member after a transfer has failed; throws the reason if there is none.
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
    /// `finder` returns the URL of a member in the present version, or nil if it has no such member.
    package func reopenArchive(
        at url: String,
        with finder:
            @escaping @Sendable (_ member: String) async -> Result<String?, ImageLoadingError>
    ) {
        engine.archives.set(finder, for: url)
    }
}
