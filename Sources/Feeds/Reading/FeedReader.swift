import Decoders
import Glibc
package import ImageLoading
internal import SystemSupport

/// Reads feeds from files, directories, standard input and the network.
///
/// The methods block. Don't call them on the cooperative thread pool.
package struct FeedReader: Sendable {
    package let manager: ImageManager
    /// The maximum total time for a feed from the network.
    package var timeLimit: Duration = .seconds(300)
    /// The user's options for feeds.
    package var options = FeedOptions()
    /// Whether only the displayed part of a remote archive is read; the rest becomes the next page.
    package var stopsAhead = false
    /// The feeds that were read earlier, which are reused if they have not changed.
    package var known = KnownFeeds()

    package init(
        manager: ImageManager,
        timeLimit: Duration = .seconds(300),
        options: FeedOptions = FeedOptions(),
        stopsAhead: Bool = false,
        known: KnownFeeds = KnownFeeds()
    ) {
        self.manager = manager
        self.timeLimit = timeLimit
        self.options = options
        self.stopsAhead = stopsAhead
        self.known = known
    }

    /// A function that is called each time another part of a feed has been read.
    package typealias Growth = (inout GrowingFeed) throws(FeedError) -> Void

    /// Reads all sources and joins them in order.
    package func read(_ sources: [FeedSource]) throws(FeedError) -> Feed {
        let feeds = try readAll(sources)
        guard feeds.count == 1, let only = feeds.first else { return Feed(joining: feeds) }
        return only
    }

    /// Reads one source.
    package func read(_ source: FeedSource) throws(FeedError) -> Feed {
        try read(source, onGrowth: { _ in }).withoutReplacedItems()
    }

    /// Reads one source and, if it is read piece by piece, calls `onGrowth` after each piece.
    ///
    /// The items of the pieces keep their indices, so the feed may contain replaced items
    /// (`replacedURLs`).
    package func read(_ source: FeedSource, onGrowth: Growth) throws(FeedError) -> Feed {
        switch source {
        case .standardInput: try standardInput()
        case .remote(let url): try remote(url, name: source.name, onGrowth)
        case .path(let path): try local(path, name: source.name, onGrowth)
        case .currentFolder: try currentFolder(name: source.name, onGrowth)
        case .subscription(let source, let title): subscription(source, title: title)
        }
    }

    /// Returns whether reading a source may delay the first screen noticeably.
    package func isSlow(_ source: FeedSource) -> Bool {
        switch source {
        case .standardInput, .remote, .subscription: true
        case .path(let path): options.tree != nil || ArchiveFormat.mayBeArchive(named: path)
        case .currentFolder: options.tree != nil
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

    /// Reads a remote feed.
    ///
    /// The URL is trusted because the user specified it, but the contents of the feed are from
    /// another author.
    private func remote(
        _ url: String,
        name: String,
        _ onGrowth: Growth
    ) throws(FeedError) -> Feed {
        if ArchiveFormat.mayBeReadInParts(url) {
            return try archive(of: url, name: name, onGrowth) { body, origin throws(FeedError) in
                if let format = ArchiveFormat.sniffed(from: body) {
                    return try archive(
                        format,
                        body: body,
                        of: url,
                        name: name,
                        origin: origin,
                        onGrowth: onGrowth
                    )
                }
                return try feed(parsing: body, title: name, base: .url(url), origin: origin)
            }
        }
        let (manager, limit, known) = (manager, timeLimit, known)
        let answer = waitFor {
            await RemoteFeed(url, origin: .local, manager, within: limit, known: known)
        }
        switch answer.body {
        case .failure(let error): throw FeedError(name: name, fault: error.description)
        case .success(let body):
            if let before = known.before(.remote(url), body) { return try read(before) }
            let origin = answer.origin ?? .remoteFeed
            let feed = try feed(of: body, url: url, name: name, origin: origin, onGrowth: onGrowth)
            known.note(.remote(url), feed, of: body)
            return answer.remarked(feed, name: name)
        }
    }

    private func feed(
        of body: ImageManager.FetchedBody,
        url: String,
        name: String,
        origin: RequestOrigin,
        onGrowth: Growth
    ) throws(FeedError) -> Feed {
        if DecoderRegistry.pictureFormat(of: body.bytes) != nil {
            return Feed(items: [FeedItem(url: url)], title: name)
        }
        if let format = ArchiveFormat.sniffed(from: body.bytes) {
            return try archive(
                format,
                body: body.bytes,
                of: url,
                name: name,
                origin: origin,
                onGrowth: onGrowth
            )
        }
        do throws(FeedError) {
            return try feed(in: body, title: name, origin: origin, of: .remote(url))
        } catch {
            return try feed(namedBy: error, title: name, origin: origin)
        }
    }

    /// Returns the feed of an unchanged source without reading it again.
    ///
    /// If the source is a list of feeds, its feeds are still read.
    private func read(_ before: KnownFeeds.Before) throws(FeedError) -> Feed {
        guard let list = before.list else { return before.feed }
        return try read(list)
    }

    /// Reads all feeds in a list.
    private func read(_ list: FeedList) throws(FeedError) -> Feed {
        try list.feed(manager: manager, timeLimit: timeLimit, known: known)
    }

    /// Returns a copy of this reader with the options for parsing the document in `growing`.
    package func fitted(to growing: GrowingFeed) -> FeedReader {
        var reader = self
        reader.options = growing.documentOptions
        return reader
    }

    /// Parses a feed, or reads all feeds in a list of feeds.
    package func feed(
        parsing bytes: [UInt8],
        title: String,
        base: FeedBase,
        origin: RequestOrigin,
        of source: FeedSource? = nil
    ) throws(FeedError) -> Feed {
        let list = try Feed.addresses(inOPML: bytes, title: title, base: base).map {
            FeedList(title: title, addresses: $0.urls, unusable: $0.unusable, origin: origin)
        }
        if let source { known.note(source, list) }
        guard let list else {
            let feed = try Feed(
                parsing: bytes,
                title: title,
                base: base,
                origin: origin,
                options: options
            )
            return feed.subscribed(to: source)
        }
        return try read(list)
    }

    private func local(
        _ path: String,
        name: String,
        _ onGrowth: Growth
    ) throws(FeedError) -> Feed {
        // `AbsolutePath.of(path)` is not used here because it would turn an empty name into the
        // current directory. `O_NONBLOCK` prevents waiting forever for a pipe without a writer.
        let descriptor = open(FileText.path(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw FeedError(name: name, fault: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let absolute = AbsolutePath.of(path)
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let feed = try folder(absolute, name: name, onGrowth)
            known.note(.path(path), feed)
            return feed
        case S_IFREG:
            if let before = known.before(.path(path), status) { return try read(before) }
        case S_IFIFO: throw FeedError(name: name, fault: "is a pipe; to read one, use - < PIPE")
        default: throw FeedError(name: name, fault: "is not a file or folder")
        }

        var file = FileBytes(descriptor: descriptor, name: name)
        let start = try file.next(
            max(DecoderRegistry.prefixByteCount, ArchiveFormat.prefixByteCount)
        )
        // An empty file with the name of an image is an image that can't be shown, not a feed.
        let isPicture =
            DecoderRegistry.pictureFormat(of: start) != nil
            || (start.isEmpty && DecoderRegistry.standard.format(ofFileNamed: path) != nil)
        if isPicture {
            return Feed(items: [FeedItem(filePath: FileText.bytes(of: absolute))], title: name)
        }
        let archive = LocalArchive(descriptor: descriptor, name: name)
        let byteCount = Int(status.st_size)
        if let format = try ArchiveFormat.detected(from: start, in: archive, byteCount: byteCount) {
            let feed = try self.archive(format, file: archive, path: absolute, onGrowth: onGrowth)
            known.note(.path(path), feed, of: status)
            return feed
        }
        let feed = try feed(
            parsing: file.rest(after: start, byteCount: byteCount),
            title: name,
            base: .directory(AbsolutePath.directory(of: absolute)),
            origin: .local,
            of: .path(path)
        )
        known.note(.path(path), feed, of: status)
        return feed
    }
}
