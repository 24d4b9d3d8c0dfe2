internal import ImageLoading
import SystemSupport

/// A remote archive that changed on its server and is reopened at most once.
///
/// The directory is read only until the requested member is found. The class is thread-safe:
/// searches run one after another, and each search continues where the previous one stopped.
final class ReopenedArchive: Sendable {
    private struct Directory: Sendable {
        /// The archive that is being read, or nil before it is opened.
        var reading: ArchiveReading<RemoteArchive>?
        /// The URLs of the members that were found, keyed by the part of the URL that is the same
        /// in all versions of the archive.
        var urls: [String: String] = [:]
        /// The reason the directory can't be read, or nil if no error has occurred.
        var failure: ImageLoadingError?
    }

    private static let missing =
        "the archive has changed on its server and no longer contains the file; open it again"

    private let url: String
    private let network: NetworkReader
    private let last = Protected<Task<Directory, Never>?>(nil)

    init(_ url: String, _ network: NetworkReader) {
        (self.url, self.network) = (url, network)
    }

    /// Returns the URL of a member in the current version of the archive.
    ///
    /// `member` is the part of the member's URL before the question mark, which is the same in all
    /// versions.
    func url(of member: String) async throws(ImageLoadingError) -> String {
        let search = last.withLock { last in
            let search = Task(executorPreference: StepExecutor.shared) { [last] in
                await self.read(await last?.value ?? Directory(), upTo: member)
            }
            last = search
            return search
        }
        let directory = await search.value
        if let url = directory.urls[member] { return url }
        throw directory.failure ?? .download(.dataSource(Self.missing))
    }

    private func read(_ directory: Directory, upTo member: String) async -> Directory {
        guard directory.urls[member] == nil, directory.failure == nil,
            directory.reading?.isAtEnd != true
        else { return directory }
        // Reading blocks, so it needs its own thread.
        return await withCheckedContinuation { continuation in
            let isStarted = POSIXThread.startDetached(name: "archive") { [self] in
                continuation.resume(returning: continued(directory, upTo: member))
            }
            if !isStarted { continuation.resume(returning: directory) }
        }
    }

    private func continued(
        _ directory: Directory,
        upTo member: String
    ) -> Directory {
        var directory = directory
        do throws(ImageLoadingError) {
            var reading: ArchiveReading<RemoteArchive>
            if let before = directory.reading {
                reading = before
            } else {
                reading = try open()
            }
            while directory.urls[member] == nil, !reading.isAtEnd {
                let part = try Self.nextPart(of: &reading)
                for index in 0..<part.count {
                    let url = part[index].url
                    directory.urls[RemoteArchivedFile.name(inURL: url)] = url
                }
            }
            directory.reading = reading
        } catch {
            directory.failure = error
        }
        return directory
    }

    private func open() throws(ImageLoadingError) -> ArchiveReading<RemoteArchive> {
        let name = FeedSource.remote(url).name
        guard
            case .archive(let archive) = try RemoteArchive.open(url, name: name, network).get(),
            let listing = archive.listing(charset: nil), let base = archive.base
        else { throw .download(.changedResource(RemoteArchive.change)) }
        return ArchiveReading(listing, source: archive, base: base, name: name, version: nil)
    }

    private static func nextPart(
        of reading: inout ArchiveReading<RemoteArchive>
    ) throws(ImageLoadingError) -> Feed {
        do throws(FeedError) {
            return try reading.part(upTo: reading.pictureCount + 1) { _ in }
        } catch {
            throw .download(.dataSource(error.description))
        }
    }
}
