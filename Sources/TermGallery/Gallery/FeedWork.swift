import Feeds
import GalleryCore
import ImageLoading
import TerminalUI

/// The work on the current feed that runs on other threads: searching, reading the feed again,
/// reading other feeds, and recording which items were viewed.
///
/// This class is used on the UI thread only.
final class FeedWork {
    private let finder: FeedFinder
    private let opener: FeedOpener
    private let completer: PathCompleter
    private let pager: FeedPager
    private let reloader: FeedReloader
    private let reading: ReadingKeeper
    private var placeFile: FeedPlaceFile
    /// The number of times that a feed was shown or its items were renumbered.
    private var feedNumber = 0
    /// The number that `FeedOpener` assigned to the current feed.
    ///
    /// The feed opened at the start has the number 0. Changes that carry another number belong to
    /// another feed and are ignored.
    private var openedNumber = 0

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>, options: GalleryOptions) {
        finder = FeedFinder(mailbox: mailbox)
        opener = FeedOpener(manager: manager, mailbox: mailbox)
        completer = PathCompleter(mailbox: mailbox)
        pager = FeedPager(manager: manager, mailbox: mailbox)
        reloader = FeedReloader(options.feedOrigin, mailbox: mailbox)
        reading = ReadingKeeper(options.readingFolder, mailbox: mailbox)
        placeFile = options.placeFile
    }

    /// Filters, sorts or searches the current feed, as `effect` requests.
    func perform(_ effect: FindingEffect) { finder.perform(effect) }

    /// Opens another feed, reads a page, reloads the feed, or records viewed items, as `effect`
    /// requests.
    ///
    /// Returns the reason if the user has requested a reload and the feed can't be read again;
    /// otherwise returns nil.
    func perform(_ effect: FeedEffect, on feed: Feed?) -> String? {
        switch effect {
        case .open(let name): opener.open(name)
        case .readPage(let page): pager.read(page)
        case .keepReading(let read, let unread): reading.note(read: read, unread: unread)
        case .reload(let isQuiet):
            let refusal = reloader.reload(feed, isQuiet: isQuiet)
            return isQuiet ? nil : refusal
        }
        return nil
    }

    /// Finds the paths that start with `path`, to complete the name of another feed.
    func complete(_ path: String) { completer.complete(path) }

    /// Sets the feed, or the new version of the current feed, for all further work.
    func use(_ feed: Feed) {
        finder.use(feed)
        feedNumber += 1
        reading.look(at: feed, number: feedNumber)
    }

    /// Returns the item at which the previous session left the feed, or nil if that item is
    /// unknown.
    func storedItem(in feed: Feed) -> Int? { placeFile.item(in: feed) }

    /// Stores the user's place in the current feed, and uses another feed from now on.
    func replace(_ feed: Feed?, at item: Int?, with origin: FeedOrigin, number: Int) {
        openedNumber = number
        reloader.use(origin)
        placeFile.keep(item: item, of: feed)
        placeFile = FeedPlaceFile(path: placeFile.path, sources: origin.sources)
    }

    /// Stores the user's place in the current feed and the viewed items, because the gallery ends.
    func end(_ feed: Feed?, at item: Int?) {
        placeFile.keep(item: item, of: feed)
        reading.end()
    }

    // MARK: Results

    /// Returns whether `FeedOpener` assigned this number to the current feed, so that a change that
    /// carries the number belongs to the current feed.
    func isCurrent(openedNumber: Int) -> Bool { openedNumber == self.openedNumber }

    /// Returns whether unread items found for this `feedNumber` belong to the current numbering of
    /// the feed.
    func isCurrent(feedNumber: Int) -> Bool { feedNumber == self.feedNumber }

    /// Stores a feed that was read again, and returns whether it belongs to the current feed.
    func take(_ reload: FeedReload, number: Int) -> Bool { reloader.take(reload, number: number) }

    /// Returns a feed that was read again and has not been shown yet, or nil if there is no such
    /// feed or if the open image is missing from it.
    func takeReload(for state: GalleryState) -> FeedReload? { reloader.takeWaiting(state) }
}
