import Feeds
import GalleryCore
import ImageLoading
import SystemSupport
import TerminalUI

/// Finds paths that start with the typed text.
///
/// The search runs on its own thread because a directory may be on a file server that doesn't
/// respond.
final class PathCompleter: Sendable {
    private let pool = WorkerPool(name: "complete", threadCount: 1)
    private let newest = Protected(CancellationFlag())
    private let mailbox: Mailbox<GalleryMail>

    /// The maximum number of paths; longer lists are not useful.
    private static let mostPaths = 500
    /// The maximum number of directory entries to check.
    private static let mostEntries = 200_000

    init(mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
    }

    /// Posts the paths that start with `path`.
    ///
    /// A new request cancels the previous one.
    func complete(_ path: String) {
        let flag = CancellationFlag()
        newest.withLock { newest in
            newest.cancel()
            newest = flag
        }
        pool.submit(priority: .high) { [mailbox] in
            guard !flag.isCancelled else { return }
            let paths = Self.paths(startingWith: path)
            if !flag.isCancelled { mailbox.post(.message(.pathCompletions(paths, of: path))) }
        }
    }

    /// Returns the paths that start with `path`, in alphabetical order.
    ///
    /// Directories end with a slash. Hidden names are included only if the typed name starts with a
    /// dot.
    static func paths(startingWith path: String) -> [String] {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let typedFolder = slash.map { String(path[...$0]) } ?? ""
        let start = FileText.bytes(of: String(path.dropFirst(typedFolder.count)))
        let folder = typedFolder.isEmpty ? "." : AbsolutePath.expandingHome(typedFolder)
        var found: [String] = []
        var count = 0
        // A directory that can't be listed has no completions.
        try? FolderNames.each(of: folder) { name, type in
            count += 1
            guard FileText.bytes(of: name).starts(with: start),
                !name.hasPrefix(".") || start.first == UInt8(ascii: ".")
            else { return count < mostEntries }
            let isFolder = FolderNames.isFolder(name, in: folder, type: type)
            found.append(typedFolder + name + (isFolder ? "/" : ""))
            return count < mostEntries && found.count < mostPaths
        }
        return found.sorted()
    }
}
