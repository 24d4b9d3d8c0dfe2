import Decoders
import FoundationEssentials
import GalleryCore
import Glibc
import ImageLoading

/// Reads feeds from files, folders, standard input and the network.
///
/// Blocks; never on Swift's pool.
struct FeedReader: Sendable {
    let manager: ImageManager

    /// Reads all sources and joins them in order.
    func read(_ sources: [FeedSource]) throws(FeedError) -> Feed {
        var feeds: [Feed] = []
        for source in sources { feeds.append(try read(source)) }
        guard feeds.count == 1, let only = feeds.first else { return Feed(joining: feeds) }
        return only
    }

    private func read(_ source: FeedSource) throws(FeedError) -> Feed {
        switch source {
        case .standardInput: try standardInput()
        case .remote(let url): try remote(url)
        case .path(let path): try local(path)
        }
    }

    private func standardInput() throws(FeedError) -> Feed {
        var file = FileBytes(descriptor: STDIN_FILENO, name: "standard input")
        let bytes = try file.rest()
        let directory = FileManager.default.currentDirectoryPath
        return try Feed(
            parsing: bytes,
            title: "standard input",
            base: .directory(directory),
            origin: .local
        )
    }

    /// The person named the URL, but what stands in the feed was written by someone else.
    private func remote(_ url: String) throws(FeedError) -> Feed {
        let manager = manager
        let answer = waitFor { () -> Result<ImageManager.FetchedBody, ImageLoadingError> in
            do throws(ImageLoadingError) {
                return .success(try await manager.body(of: url))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .failure(let error): throw FeedError(name: url, fault: error.description)
        case .success(let body) where DecoderRegistry.standard.format(of: body.bytes) != nil:
            return Feed(items: [FeedItem(url: url)], title: url)
        case .success(let body):
            return try Feed(
                parsing: body.bytes,
                title: url,
                base: .url(url),
                // A public feed must not lead into the reader's own network; one of that network
                // may, or an intranet's images could not be seen.
                origin: body.isFromPrivateAddress ? .privateFeed : .remoteFeed
            )
        }
    }

    private func local(_ path: String) throws(FeedError) -> Feed {
        // Not AbsolutePath.of(path), which would make the current folder of an empty name. Opening
        // a pipe that nobody writes to would wait for ever without O_NONBLOCK.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw FeedError(name: path, fault: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let absolute = AbsolutePath.of(path)
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return try folder(absolute, name: path)
        case S_IFREG: break
        case S_IFIFO: throw FeedError(name: path, fault: "is a pipe; to read one, use - < PIPE")
        default: throw FeedError(name: path, fault: "is neither a file nor a folder")
        }

        var file = FileBytes(descriptor: descriptor, name: path)
        let start = try file.next(64)
        if DecoderRegistry.standard.format(of: start) != nil {
            return Feed(items: [FeedItem(filePath: absolute)], title: path)
        }
        return try Feed(
            parsing: start + file.rest(),
            title: path,
            base: .directory(AbsolutePath.directory(of: absolute)),
            origin: .local
        )
    }

    private func folder(_ path: String, name: String) throws(FeedError) -> Feed {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            // It was opened a moment ago: whatever the reason is, there is nothing to be done.
            throw FeedError(name: name, fault: "the folder can't be listed")
        }
        let images = names.filter(Self.isImageName).sorted(by: NaturalOrder.areInOrder)
        guard !images.isEmpty else {
            throw FeedError(name: name, fault: "the folder holds no .jpg, .jpeg or .png files")
        }
        return Feed(items: images.map { FeedItem(filePath: path + "/" + $0) }, title: name)
    }

    private static func isImageName(_ name: String) -> Bool {
        !name.hasPrefix(".") && DecoderRegistry.standard.format(ofFileNamed: name) != nil
    }
}

/// What a FEED argument on the command line names.
enum FeedSource: Equatable {
    /// `-`.
    case standardInput
    /// An `http` or `https` URL: of a feed, or of an image.
    case remote(String)
    /// Anything else is a path: of a feed, an image or a folder.
    case path(String)

    init(argument: String) {
        let lower = argument.lowercased()
        if argument == "-" {
            self = .standardInput
        } else if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
            self = .remote(argument)
        } else {
            self = .path(argument)
        }
    }

    /// Whether reading it may take longer than a person likes to wait for the first screen.
    var isSlow: Bool {
        switch self {
        case .standardInput, .remote: true
        case .path: false
        }
    }
}
