import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// Reads a folder that the user enters or leaves.
///
/// The methods block.
struct FolderVisit {
    enum Outcome {
        /// A folder was read: the requested folder or the nearest folder that exists.
        case shown(Feed, FeedSource)
        /// The current folder remains on the screen for this reason.
        case refused(String)
        /// The current folder exists, and no other folder was requested.
        case nothing
    }

    private let request: FolderRequest

    init(_ request: FolderRequest) { self.request = request }

    /// Reads the requested folder.
    ///
    /// If the folder can't be read, the current folder remains on the screen. If the current folder
    /// was deleted, its nearest readable ancestor is returned.
    func read(by reader: FeedReader) -> Outcome {
        var reason: String?
        if let target = request.target {
            do throws(FeedError) {
                return shown(try read(target, by: reader), at: target)
            } catch {
                reason = Self.shortened(error.description, about: target)
            }
        }
        guard let current = request.current, !Self.exists(current) else {
            return reason.map(Outcome.refused) ?? .nothing
        }
        for folder in request.ancestors {
            guard var feed = try? read(folder, by: reader) else { continue }
            let remark = "\(FileText.shown(Self.name(current))) no longer exists"
            feed.remark = feed.remark.map { "\(remark); \($0)" } ?? remark
            return shown(feed, at: folder)
        }
        return .refused(reason ?? "\(FileText.shown(Self.name(current))) no longer exists")
    }

    /// Reads a folder, and selects the folder that the user is leaving.
    private func read(_ path: String, by reader: FeedReader) throws(FeedError) -> Feed {
        var feed = try reader.read(.path(path))
        feed.remark = feed.remark.map { Self.shortened($0, about: path) }
        guard request.isLeaving, let current = request.current, let folder = feed.folder else {
            return feed
        }
        // The remark was shown when the user first saw this folder.
        feed.remark = nil
        let url = FeedItem(folderPath: (path == "/" ? "" : path) + "/" + Self.name(current)).url
        feed.startItem = (0..<folder.folderCount).first { feed[$0].url == url }
        return feed
    }

    private func shown(_ feed: Feed, at path: String) -> Outcome { .shown(feed, .path(path)) }

    /// Returns a message that starts with the folder's name instead of its path.
    private static func shortened(_ text: String, about path: String) -> String {
        let start = FeedSource.path(path).name + ":"
        guard text.hasPrefix(start) else { return text }
        return FileText.shown(name(path)) + ":" + text.dropFirst(start.count)
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(FileText.path(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the name of a folder, even if its path ends with ".".
    private static func name(_ path: String) -> String {
        let last = AbsolutePath.name(of: path)
        guard [".", "..", ""].contains(last), let real = realpath(FileText.path(path), nil) else {
            return last
        }
        defer { free(real) }
        return AbsolutePath.name(of: FileText.text(cString: real))
    }
}
