import Glibc
import ImageLoading
import SystemSupport

/// Reads feeds and reports them as they grow, so the first images appear before the last feed has
/// been read.
///
/// If there are at least two subscribed feeds, they are read first, in parallel. The other feeds
/// are read one after another.
///
/// Reading blocks, so run it on its own thread.
package struct FeedStream {
    /// A change to the feed.
    package enum Event: Sendable {
        /// The feed has its first items, or it can't be read.
        case opened(Result<Feed, FeedError>)
        /// The feed has more items, or it is complete.
        ///
        /// The complete feed may contain replaced items (`replacedURLs`).
        case changed(Feed)
    }

    private let reader: FeedReader
    private let onEvent: (Event) -> Void
    /// The feeds that have been read completely.
    private var complete: [Feed] = []
    private var isOpened = false
    /// The limit on the rate of events.
    ///
    /// If many items arrive at once, the limit leaves time for the screen to respond to keys. If a
    /// short feed is read within the first interval, it is reported only once, with its final
    /// length.
    private var pace = Pace(pause: .milliseconds(100), first: .milliseconds(60))

    /// The descriptor of standard input.
    package var descriptor = STDIN_FILENO
    /// A function that returns whether more of a growing feed is needed; if it returns false,
    /// reading ends.
    package var isWanted: () -> Bool = { true }

    package init(reader: FeedReader, onEvent: @escaping (Event) -> Void) {
        self.reader = reader
        self.onEvent = onEvent
    }

    /// Reads all sources and returns after everything has been read and reported.
    ///
    /// If a source can't be read, the remaining sources are not read.
    package mutating func run(_ sources: [FeedSource]) {
        var isRead: Set<Int> = []
        let reader = reader
        reader.readKnown(sources) { index, feed in
            isRead.insert(index)
            complete.append(feed)
            if pace.isDue { tell(nil, isOpen: true) }
        }
        let sources = sources.enumerated().filter { !isRead.contains($0.offset) }.map(\.element)
        if sources.isEmpty { return tell(nil, isOpen: false) }
        do throws(FeedError) {
            for (index, source) in sources.enumerated() {
                let isLast = index == sources.count - 1
                if source == .standardInput {
                    complete.append(try follow())
                } else {
                    let reader = reader
                    let isWanted = isWanted
                    let feed = try reader.read(source) { growing throws(FeedError) in
                        guard isWanted() else { throw FeedError("\(source.name): left") }
                        guard growing.hasNews, pace.isDue, let present = try growing.feed()
                        else { return }
                        tell(present, isOpen: true)
                    }
                    complete.append(feed)
                }
                if isLast || pace.isDue { tell(nil, isOpen: !isLast) }
            }
        } catch {
            guard isOpened else { return onEvent(.opened(.failure(error))) }
            // The images on the screen are kept.
            tell(nil, isOpen: false, remark: error.description)
        }
    }

    /// Reads standard input to its end, or until more than `FileBytes.maximumByteCount` bytes have
    /// been read.
    private mutating func follow() throws(FeedError) -> Feed {
        let name = FeedSource.standardInput.name
        let file = FileBytes(descriptor: descriptor, name: name)
        var feed = GrowingFeed(
            title: name,
            base: .directory(AbsolutePath.currentDirectory),
            origin: .local,
            options: reader.options
        )
        var byteCount = 0
        while true {
            if feed.hasNews, pace.isDue, let present = try feed.feed() {
                tell(present, isOpen: true)
            }
            guard waitForInput(feed.hasNews ? pace.timeLeft : nil) else { continue }
            let bytes = try file.nextChunk()
            byteCount += bytes.count
            if bytes.isEmpty { return try end(&feed, name) }
            feed.append(bytes)
            if byteCount > FileBytes.maximumByteCount {
                var whole = try feed.end()
                let cut = "\(name): everything after the first 256 MiB was left out"
                whole.remark = whole.remark.map { "\($0); \(cut)" } ?? cut
                return whole
            }
        }
    }

    /// Ends the input and returns its feed.
    ///
    /// The input may be a document with a list of feeds.
    private func end(_ feed: inout GrowingFeed, _ name: String) throws(FeedError) -> Feed {
        guard let document = try feed.documentAtEnd() else { return try feed.end() }
        return try reader.fitted(to: feed).feed(
            parsing: document,
            title: name,
            base: .directory(AbsolutePath.currentDirectory),
            origin: .local
        )
    }

    /// Waits for input and returns whether input is available or has ended.
    ///
    /// Waits for at most `time`, or without a limit if `time` is nil.
    private func waitForInput(_ time: Duration?) -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&source, 1, time?.pollMilliseconds ?? -1)
        // A descriptor that can't be polled is read so that `read` reports the error.
        return count > 0 || (count < 0 && errno != EINTR)
    }

    private mutating func tell(_ growing: Feed?, isOpen: Bool, remark: String? = nil) {
        let feeds = complete + (growing.map { [$0] } ?? [])
        guard var feed = feeds.count == 1 ? feeds.first : Feed(joining: feeds) else { return }
        // Before the first report, no index is in use, so replaced items can be removed.
        if !isOpened, !isOpen { feed = feed.withoutReplacedItems() }
        feed.isBeingRead = isOpen
        feed.isOpen = isOpen || !feed.nextPages.isEmpty
        if let remark { feed.remark = remark }
        onEvent(isOpened ? .changed(feed) : .opened(.success(feed)))
        isOpened = true
        pace.note()
    }
}
