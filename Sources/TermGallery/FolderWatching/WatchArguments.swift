import ArgumentParser
import Feeds
import Glibc
import ImageLoading
import SystemSupport

/// The options for watching directories while the gallery is open.
struct WatchArguments: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Watch the folders and show new images as they are written."
        )
    )
    var watch = false

    /// Returns the options for watching directories, or nil if `--watch` is not set.
    ///
    /// Throws an error if a source is not a directory.
    func options(for feeds: FeedArguments) throws -> WatchOptions? {
        guard watch else { return nil }
        guard feeds.reading.depth == nil, feeds.reading.exclude.isEmpty else {
            throw ProgramFailure(
                .usage,
                "--watch cannot be combined with --depth or --exclude"
            )
        }
        var options = WatchOptions(isRecursive: feeds.reading.recursive)
        options.includesHidden = feeds.reading.hidden
        for source in try feeds.sources { options.roots.append(try Self.folder(source)) }
        return options
    }

    private static func folder(_ source: FeedSource) throws -> String {
        var status = stat()
        let path: String
        switch source {
        case .path(let named): path = named
        case .currentFolder: path = AbsolutePath.currentDirectory
        case .standardInput, .remote, .subscription: throw failure(source, "--watch takes folders")
        }
        // The original path is checked because `AbsolutePath` would convert an empty name to the
        // current directory.
        guard stat(FileText.path(path), &status) == 0 else {
            throw failure(source, String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw failure(source, "is not a folder; --watch takes folders")
        }
        do throws(FileFailure) {
            _ = try FolderNames.of(path)
        } catch {
            throw failure(source, "cannot list the folder: \(error.text)")
        }
        var absolute = AbsolutePath.of(path)
        while absolute.utf8.count > 1, absolute.utf8.last == UInt8(ascii: "/") {
            absolute = String(decoding: absolute.utf8.dropLast(), as: UTF8.self)
        }
        return absolute
    }

    private static func failure(_ source: FeedSource, _ text: String) -> ProgramFailure {
        ProgramFailure(.feedUnreadable, "\(source.name): \(text)")
    }
}
