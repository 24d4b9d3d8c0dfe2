internal import Feeds

/// The chain of folders from the folder that was opened at launch to the current folder.
///
/// All paths are absolute and encoded by `FileText`.
struct FolderWalk: Equatable, Sendable {
    /// The paths of the entered folders, the last of which is on the screen.
    ///
    /// The array is empty if the feed is not a folder whose subfolders can be entered.
    private(set) var path: [String] = []
    /// Whether the user can go to the parent of the first folder.
    private(set) var hasOpenStart = false

    /// The folder on the screen, or nil if the feed is not a listed folder.
    var current: String? { path.last }

    /// Records the folder of a newly opened feed.
    ///
    /// A subfolder of the current folder is appended. If the folder was entered earlier, the
    /// folders after it are removed. Any other folder starts a new chain.
    mutating func open(_ folder: FeedFolder?) {
        guard let folder else {
            self = FolderWalk()
            return
        }
        if let place = path.firstIndex(of: folder.path) {
            path.removeSubrange((place + 1)...)
        } else if let current,
            Self.parent(of: folder.path).map(Self.trimmed) == Self.trimmed(current)
        {
            path.append(folder.path)
        } else if hasOpenStart, path.first.map(ancestors)?.contains(folder.path) == true {
            path = [folder.path]
        } else {
            path = [folder.path]
            hasOpenStart = folder.hasOpenParent
        }
    }

    /// Returns the request to enter a subfolder of the current folder.
    func entering(_ folder: String) -> FolderRequest {
        FolderRequest(target: folder, current: current, ancestors: outerFolders)
    }

    /// Returns the request to leave the current folder, or nil if there is no folder to go to.
    func leaving() -> FolderRequest? {
        outerFolders.first.map {
            FolderRequest(
                target: $0,
                current: current,
                ancestors: Array(outerFolders.dropFirst()),
                isLeaving: true
            )
        }
    }

    /// Returns the request to show the nearest existing folder if the current folder was deleted,
    /// or nil if there is no other folder.
    func retreating() -> FolderRequest? {
        guard current != nil, !outerFolders.isEmpty else { return nil }
        return FolderRequest(target: nil, current: current, ancestors: outerFolders)
    }

    /// The ancestors of the current folder that the user can go to, nearest first.
    private var outerFolders: [String] {
        path.dropLast().reversed() + (hasOpenStart ? path.first.map(ancestors) ?? [] : [])
    }

    /// The maximum number of ancestors of the start folder to try.
    private static let ancestorCount = 64

    private func ancestors(of folder: String) -> [String] {
        let all = sequence(first: folder) { Self.parent(of: $0) }
        return Array(all.dropFirst().prefix(Self.ancestorCount))
    }

    /// Returns the path of the parent, or nil for the root.
    static func parent(of path: String) -> String? {
        let path = trimmed(path)
        guard path != "/" else { return nil }
        // The parent of a path that ends with ".." can't be determined from the path alone.
        return AbsolutePath.name(of: path) == ".." ? path + "/.." : AbsolutePath.directory(of: path)
    }

    /// Returns the path without slashes and "." components at its end.
    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.utf8.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") {
            path.removeLast()
        }
        return String(path)
    }
}

/// A request to enter or leave a folder.
package struct FolderRequest: Equatable, Sendable {
    /// The path of the folder to show, or nil to change the folder only if the current folder no
    /// longer exists.
    package let target: String?
    /// The path of the folder on the screen.
    package let current: String?
    /// The folders to try if neither the target nor the current folder exists, nearest first.
    package let ancestors: [String]
    /// Whether the user is leaving the current folder, which is then selected in the target.
    package var isLeaving = false
}
