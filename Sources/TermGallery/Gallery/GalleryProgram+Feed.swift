import Feeds
import GalleryCore
import Glibc
import ImageLoading

/// Methods that open, extend, replace and reload the current feed.
extension GalleryProgram {
    func open(_ result: Result<Feed, FeedError>) {
        switch result {
        case .success(let feed):
            feeds.use(feed)
            loads.forgetThumbnails()
            if let item = feed.startItem ?? feeds.storedItem(in: feed) { send(.resume(item: item)) }
            send(.feed(result))
        case .failure(let error):
            ending = .failure(ProgramFailure(.feedUnreadable, error.description))
        }
    }

    /// Handles a feed that has grown or whose items have changed.
    ///
    /// The change is ignored if `number` is not the number of the current feed.
    func change(to feed: Feed, _ items: [Int], _ number: Int) {
        guard feeds.isCurrent(openedNumber: number) else { return }
        take(feed.keepingDeleted(of: state.currentFeed), items)
    }

    /// Appends a page that was read, unless it is for an earlier feed.
    func append(_ result: Result<Feed, FeedError>, after page: FeedPage) {
        if let feed = state.currentFeed?.continued(by: result, after: page) { take(feed, []) }
    }

    private func take(_ feed: Feed, _ items: [Int]) {
        feeds.use(feed)
        loads.forgetThumbnails(of: items)
        send(.feedChanged(feed, items: items))
        if !feed.isBeingRead { feeds.removeReplacedItems(of: feed) }
    }

    func openAnother(_ feed: Feed, from origin: FeedOrigin, _ number: Int) {
        feeds.replace(state.currentFeed, at: state.selectedItem, with: origin, number: number)
        open(.success(feed))
    }

    func take(_ reload: FeedReload, number: Int) {
        guard feeds.take(reload, number: number) else { return }
        if let reload = feeds.takeReload(for: state) { return show(reload) }
        let text = "this image is no longer in the feed; the grid is updated when you close it"
        send(.notice(text, .warning))
    }

    /// Shows a reloaded feed.
    ///
    /// An item that was marked as deleted remains so if its file is still missing.
    func show(_ reload: FeedReload?) {
        guard var reload else { return }
        if var change = reload.change {
            if let present = state.currentFeed {
                change.feed = change.feed.keepingDeleted(
                    of: present,
                    change.numbers,
                    unless: Self.isThere
                )
            }
            feeds.use(change.feed)
            loads.renumber(change.numbers)
            reload.change = change
        }
        send(.reloaded(reload))
    }

    private static func isThere(_ item: FeedItem) -> Bool {
        PictureAddress.cPath(ofURL: item.url).map { access($0, F_OK) == 0 } ?? false
    }
}
