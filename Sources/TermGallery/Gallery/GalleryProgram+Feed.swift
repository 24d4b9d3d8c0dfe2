import Feeds
import GalleryCore
import Glibc
import ImageLoading

/// Methods that open, extend, replace and reload the current feed.
extension GalleryProgram {
    func open(_ result: Result<Feed, FeedError>) {
        switch result {
        case .success(let feed):
            self.feed = feed
            finder.use(feed)
            itemsWithUntrueThumbnails = []
            placeFile.item(in: feed).map { send(.resume(item: $0)) }
            send(.feed(result))
            lookForNews(in: feed)
        case .failure(let error):
            ending = .failure(ProgramFailure(.feedUnreadable, error.description))
        }
    }

    /// Handles a feed that has grown or whose items have changed.
    func change(to feed: Feed, _ items: [Int], _ number: Int) {
        guard number == openedNumber else { return }
        take(feed.keepingDeleted(of: self.feed), items)
    }

    /// Appends a page that was read, unless it belongs to an earlier feed.
    func append(_ result: Result<Feed, FeedError>, after page: FeedPage) {
        feed?.continued(by: result, after: page).map { take($0, []) }
    }

    private func take(_ feed: Feed, _ items: [Int]) {
        self.feed = feed
        finder.use(feed)
        itemsWithUntrueThumbnails.subtract(items)
        send(.feedChanged(feed, items: items))
        lookForNews(in: feed)
    }

    /// Determines which items the user has not viewed.
    private func lookForNews(in feed: Feed) {
        feedNumber += 1
        reading.look(at: feed, number: feedNumber)
    }

    func openAnother(_ feed: Feed, from origin: FeedOrigin, _ number: Int) {
        openedNumber = number
        reloader.use(origin)
        placeFile.keep(item: state.selectedItem, of: self.feed)
        placeFile = FeedPlaceFile(path: placeFile.path, sources: origin.sources)
        open(.success(feed))
    }

    func reloadFeed(isQuiet: Bool) {
        let refusal = reloader.reload(feed, isQuiet: isQuiet)
        if let refusal, !isQuiet { send(.notice(refusal)) }
    }

    func take(_ reload: FeedReload, number: Int) {
        guard reloader.take(reload, number: number) else { return }
        if let reload = reloader.takeWaiting(state) { return show(reload) }
        let text = "this image is no longer in the feed; the grid is updated when you close it"
        send(.notice(text, .warning))
    }

    /// Shows a feed that was read again; items whose files are still missing remain marked as
    /// deleted.
    func show(_ reload: FeedReload?) {
        guard var reload else { return }
        if var change = reload.change {
            if let present = feed {
                change.feed = change.feed.keepingDeleted(
                    of: present,
                    change.numbers,
                    unless: Self.isThere
                )
            }
            feed = change.feed
            finder.use(change.feed)
            itemsWithUntrueThumbnails = change.numbers(itemsWithUntrueThumbnails)
            reload.change = change
        }
        send(.reloaded(reload))
        if let change = reload.change { lookForNews(in: change.feed) }
    }

    private static func isThere(_ item: FeedItem) -> Bool {
        guard let path = PictureAddress.path(ofURL: item.url) else { return false }
        return access(path.map(CChar.init(bitPattern:)) + [0], F_OK) == 0
    }
}
