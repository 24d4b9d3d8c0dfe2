import Decoders
import GalleryCore
import Glibc
import ImageLoading

/// Reads feeds from files, folders, standard input and the network.
///
/// Blocks; never on Swift's pool.
struct FeedReader: Sendable {
    let manager: ImageManager
    /// The longest time that a feed of the network may take as a whole.
    var timeLimit: Duration = .seconds(300)
    /// What the person says of feeds.
    var options = FeedOptions()

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
        case .remote(let url): try remote(url, name: source.name)
        case .path(let path): try local(path, name: source.name)
        case .currentFolder: try currentFolder(name: source.name)
        }
    }

    private func standardInput() throws(FeedError) -> Feed {
        var file = FileBytes(descriptor: STDIN_FILENO, name: "standard input")
        let bytes = try file.rest()
        return try feed(
            parsing: bytes,
            title: "standard input",
            base: .directory(AbsolutePath.currentDirectory),
            origin: .local
        )
    }

    /// The person named the URL, but what stands in the feed was written by someone else.
    private func remote(_ url: String, name: String) throws(FeedError) -> Feed {
        let (manager, limit) = (manager, timeLimit)
        let answer = waitFor { await RemoteFeed(url, origin: .local, manager, within: limit) }
        switch answer.body {
        case .failure(let error): throw FeedError(name: name, fault: error.description)
        case .success(let body) where DecoderRegistry.pictureFormat(of: body.bytes) != nil:
            return Feed(items: [FeedItem(url: url)], title: name)
        case .success(let body):
            return try feed(
                parsing: body.bytes,
                title: name,
                base: .url(url),
                origin: answer.origin ?? .remoteFeed
            )
        }
    }

    /// A feed, or all feeds of a list of feeds.
    private func feed(
        parsing bytes: [UInt8],
        title: String,
        base: FeedBase,
        origin: RequestOrigin
    ) throws(FeedError) -> Feed {
        let addresses = try Feed.addresses(inOPML: bytes, title: title, base: base)
        guard let addresses else {
            return try Feed(
                parsing: bytes,
                title: title,
                base: base,
                origin: origin,
                options: options
            )
        }
        return try FeedList(title: title, addresses: addresses, origin: origin)
            .feed(manager: manager, timeLimit: timeLimit)
    }

    private func local(_ path: String, name: String) throws(FeedError) -> Feed {
        // Not AbsolutePath.of(path), which would make the current folder of an empty name. Opening
        // a pipe that nobody writes to would wait for ever without O_NONBLOCK.
        let descriptor = open(FileText.path(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw FeedError(name: name, fault: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let absolute = AbsolutePath.of(path)
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return try folder(absolute, name: name)
        case S_IFREG: break
        case S_IFIFO: throw FeedError(name: name, fault: "is a pipe; to read one, use - < PIPE")
        default: throw FeedError(name: name, fault: "is neither a file nor a folder")
        }

        var file = FileBytes(descriptor: descriptor, name: name)
        let start = try file.next(DecoderRegistry.prefixByteCount)
        // A picture that is empty is one that can't be shown, and no feed.
        let isPicture =
            DecoderRegistry.pictureFormat(of: start) != nil
            || (start.isEmpty && DecoderRegistry.standard.format(ofFileNamed: path) != nil)
        if isPicture {
            return Feed(items: [FeedItem(filePath: FileText.bytes(of: absolute))], title: name)
        }
        return try feed(
            parsing: file.rest(after: start, byteCount: Int(status.st_size)),
            title: name,
            base: .directory(AbsolutePath.directory(of: absolute)),
            origin: .local
        )
    }

    private func folder(_ path: String, name: String) throws(FeedError) -> Feed {
        let pictures = try pictures(of: path, name: name)
        guard !pictures.names.isEmpty else {
            let fault = "the folder holds no picture that can be shown"
            throw FeedError(name: name, fault: fault + (pictures.leftOut.map { ": \($0)" } ?? ""))
        }
        return feed(of: pictures, in: path, name: name)
    }

    /// Of somebody who named nothing, and may not know yet what there is to name.
    private func currentFolder(name: String) throws(FeedError) -> Feed {
        let path = AbsolutePath.currentDirectory
        let pictures = try pictures(of: path, name: name)
        guard !pictures.names.isEmpty else {
            let leftOut = pictures.leftOut.map { " (\($0))" } ?? ""
            throw FeedError(
                "no pictures in this folder\(leftOut); name a feed, a folder or a picture, "
                    + "or see `termgallery demo`"
            )
        }
        return feed(of: pictures, in: path, name: name)
    }

    private func pictures(of path: String, name: String) throws(FeedError) -> FolderPictures {
        do throws(FileFailure) {
            return try FolderPictures(of: path)
        } catch {
            throw FeedError(name: name, fault: "the folder can't be listed: \(error.text)")
        }
    }

    private func feed(of pictures: FolderPictures, in path: String, name: String) -> Feed {
        let items = pictures.names.map { FeedItem(filePath: FileText.bytes(of: path + "/" + $0)) }
        var feed = Feed(items: items, title: name)
        feed.remark = pictures.leftOut.map { "\(name): left out \($0)" }
        return feed
    }
}

/// What a FEED argument on the command line names.
enum FeedSource: Equatable {
    /// `-`.
    case standardInput
    /// An `http` or `https` URL: of a feed, or of an image.
    case remote(String)
    /// Anything else is a path, as `FileText` has it: of a feed, an image or a folder.
    case path(String)
    /// The folder that the program stands in, where nothing is named.
    case currentFolder

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

    /// What it is called on a screen and in errors.
    var name: String {
        switch self {
        case .standardInput: "standard input"
        case .remote(let url): URLParts.redacted(url)
        // A URL that was mistyped is taken for a path.
        case .path(let path): path.contains("://") ? URLParts.redacted(path) : FileText.shown(path)
        case .currentFolder: "this folder"
        }
    }

    /// Whether reading it may take longer than a person likes to wait for the first screen.
    var isSlow: Bool {
        switch self {
        case .standardInput, .remote: true
        case .path, .currentFolder: false
        }
    }
}
