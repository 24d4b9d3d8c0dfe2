public import ImageLoading

/// The images of a feed, in order: their URLs and captions.
///
/// A feed can be RSS, Atom, JSON Feed, posts of a social network, an HTML page, a file listing,
/// plain text with one URL per line, a table, a list of JSON values, or an archive.
///
///     let feed = try await ImageFeed(at: "https://example.org/feed.xml", manager: manager)
///     for item in feed {
///         let response = try await manager.response(for: item.request)
///     }
///
/// Items are created when they are requested, so a list of a million URLs takes little more memory
/// than its text. A feed is a value and may be used on any thread.
public struct ImageFeed: RandomAccessCollection, Sendable {
    /// An image in a feed.
    public struct Item: Hashable, Sendable {
        /// The absolute URL of the image; if the URL is invalid, the text from the feed.
        public let url: String
        /// The caption from the feed, or the last component of the URL.
        ///
        /// The caption may contain any characters, including control characters.
        public let caption: String
        /// The reason the image cannot be loaded, or nil if loading can be attempted.
        public let problem: String?
        /// The title of the entry that contains the image, or nil.
        public let title: String?
        /// The absolute URL of the page about the image, or nil.
        public let link: String?
        /// The publication time in seconds since 1970, or nil.
        public let date: Int?
        /// The origin of the URL, which determines the schemes and hosts that the URL may have.
        public let origin: RequestOrigin

        /// The request for the image at its full size, with the origin of the feed.
        ///
        /// Without the origin, an untrusted feed could make the program read resources that only
        /// this machine can reach.
        public private(set) var request: ImageRequest

        init(_ item: FeedItem, origin: RequestOrigin) {
            url = item.url
            caption = item.caption
            problem = item.problem
            title = item.details?.title
            link = item.details?.link
            date = item.details?.date
            self.origin = origin
            request = item.request(origin: origin)
        }
    }

    private let feed: Feed

    /// Parses the bytes of a feed.
    ///
    /// `url` is the URL from which the feed was received: relative URLs in the feed are resolved
    /// against it, and URLs that lead to this machine or to a private network are refused. Without
    /// a URL, the feed is trusted, and relative URLs are paths in the current directory. `title` is
    /// the name of the feed in errors and remarks.
    ///
    /// An unusable line or record becomes an item with a `problem`. Throws if the bytes are not a
    /// feed or contain no images. The call blocks until all bytes are parsed, which takes time
    /// proportional to their number.
    public init(
        parsing bytes: [UInt8],
        title: String = "feed",
        url: String? = nil
    ) throws(FeedError) {
        feed = try Feed(
            parsing: bytes,
            title: title,
            base: url.map { .url($0) } ?? .directory(AbsolutePath.currentDirectory),
            origin: url == nil ? .local : .remoteFeed
        )
    }

    /// Reads a feed from a URL (`http` or `https`), a file or a directory.
    ///
    /// The manager downloads the feed within its limits and for at most `timeLimit`. If the server
    /// cannot be reached, the last known feed is used, and `remark` mentions it. An OPML file opens
    /// all of its feeds. Further pages are not requested. For images in archives, the manager needs
    /// the sources that `ArchiveSources.all()` returns.
    ///
    /// Throws if the feed cannot be read or contains no images. Reading uses a separate thread. A
    /// cancelled task does not start reading, but a download that has already started continues.
    public init(
        at source: String,
        manager: ImageManager,
        timeLimit: Duration = .seconds(300)
    ) async throws(FeedError) {
        let source = FeedSource(argument: source)
        let reader = FeedReader(manager: manager, timeLimit: timeLimit)
        let pool = WorkerPool(name: "feed", threadCount: 1)
        let result = try? await pool.run(priority: .normal) { _ in
            Result { () throws(FeedError) in try reader.read([source]) }
        }
        guard let result else {
            // The pool throws only if the task was cancelled or if no thread can be started.
            let fault = Task.isCancelled ? "cancelled" : "cannot start a thread"
            throw FeedError(name: source.name, fault: fault)
        }
        feed = try result.get()
    }

    /// The title: a URL, or the name of a file or directory.
    public var title: String { feed.title }
    /// A one-line remark for the user, for example about entries without an image, or nil.
    public var remark: String? { feed.remark }

    /// The index of the first item, which is 0.
    public var startIndex: Int { 0 }
    /// The number of items.
    public var endIndex: Int { feed.count }

    /// Returns the item at an index below `count`; each call parses the line or record again.
    public subscript(index: Int) -> Item {
        Item(feed[index], origin: feed.origin(at: index))
    }
}
