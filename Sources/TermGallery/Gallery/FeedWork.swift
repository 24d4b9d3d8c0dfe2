import Feeds
import GalleryCore
import ImageLoading
import TerminalUI

/// Performs work on feeds that runs on other threads, such as searching and reloading.
///
/// It also opens other feeds and records which items the user has viewed. Use this class on the UI
/// thread only.
final class FeedWork {
    private let finder: FeedFinder
    private let opener: FeedOpener
    private let completer: PathCompleter
    private let pager: FeedPager
    private let reloader: FeedReloader
    private let reading: ReadingKeeper
    private var placeFile: FeedPlaceFile
    /// The number of times a feed was shown or its items were renumbered.
    private var feedNumber = 0
    /// The number that `FeedOpener` assigned to the current feed.
    ///
    /// The feed opened at launch has the number 0. Changes with any other number are for another
    /// feed and are ignored.
    private var openedNumber = 0

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>, options: GalleryOptions) {
        finder = FeedFinder(mailbox: mailbox)
        opener = FeedOpener(
            manager: manager,
            mailbox: mailbox,
            listsFolders: options.settings.picking == .nothing
        )
        completer = PathCompleter(mailbox: mailbox)
        pager = FeedPager(manager: manager, mailbox: mailbox)
        reloader = FeedReloader(options.feedOrigin, mailbox: mailbox)
        reading = ReadingKeeper(options.readingFolder, mailbox: mailbox)
        placeFile = options.placeFile
    }

    /// Filters, sorts or searches the current feed as requested by `effect`.
    func perform(_ effect: FindingEffect) { finder.perform(effect) }

    /// Performs the work on feeds that `effect` requests, such as opening another feed.
    ///
    /// Returns the reason if the user requested a reload but the feed can't be read again, or nil
    /// otherwise.
    func perform(_ effect: FeedEffect, on feed: Feed?) -> String? {
        switch effect {
        case .open(let name): opener.open(name)
        case .openFolder(let request): opener.open(request, by: reloader.reader)
        case .readPage(let page): pager.read(page)
        case .keepReading(let read, let unread): reading.note(read: read, unread: unread)
        case .reload(let isQuiet):
            let refusal = reloader.reload(feed, isQuiet: isQuiet)
            return isQuiet ? nil : refusal
        }
        return nil
    }

    /// Finds the paths that start with `path` to complete a name in `:open`.
    func complete(_ path: String) { completer.complete(path) }

    /// Sets the feed to filter, sort and search, and determines which items are new.
    ///
    /// Call this method when another feed is opened or the current feed changes.
    func use(_ feed: Feed) {
        finder.use(feed)
        feedNumber += 1
        reading.look(at: feed, number: feedNumber)
    }

    /// Returns the item that was selected when the user last left the feed, or nil if it is
    /// unknown.
    func storedItem(in feed: Feed) -> Int? { placeFile.item(in: feed) }

    /// Stores the selected item of the current feed, and replaces the feed with another.
    func replace(_ feed: Feed?, at item: Int?, with origin: FeedOrigin, number: Int) {
        openedNumber = number
        reloader.use(origin)
        placeFile.keep(item: item, of: feed)
        placeFile = FeedPlaceFile(path: placeFile.path, sources: origin.sources)
    }

    /// Stores the selected item and the viewed items when the gallery exits.
    func end(_ feed: Feed?, at item: Int?) {
        placeFile.keep(item: item, of: feed)
        reading.end()
    }

    /// Removes the items that later files of their archive replace, if there are any.
    ///
    /// The result is posted like the result of a reload.
    func removeReplacedItems(of feed: Feed) { reloader.removeReplacedItems(of: feed) }

    // MARK: Results

    /// Returns whether `FeedOpener` assigned this number to the current feed.
    ///
    /// A change with any other number is for another feed.
    func isCurrent(openedNumber: Int) -> Bool { openedNumber == self.openedNumber }

    /// Returns whether item numbers posted with `feedNumber` are still valid.
    ///
    /// They become invalid when another feed is shown or the items are renumbered.
    func isCurrent(feedNumber: Int) -> Bool { feedNumber == self.feedNumber }

    /// Stores a feed that was read again.
    ///
    /// Returns false if the result is for an earlier feed.
    func take(_ reload: FeedReload, number: Int) -> Bool { reloader.take(reload, number: number) }

    /// Returns the result of a reload that has not been shown yet, or nil if there is none or the
    /// open image is missing from it.
    func takeReload(for state: GalleryState) -> FeedReload? { reloader.takeWaiting(state) }
}
