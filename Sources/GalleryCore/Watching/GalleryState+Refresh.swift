internal import Feeds

/// Images that change on their servers.
extension GalleryState {
    /// Refreshes the visible images and the feed; the current images remain if there are no new
    /// ones.
    mutating func refreshVisible() -> [Effect] {
        isPaused ? [] : refreshPictures() + [.reloadFeed(isQuiet: true)]
    }

    private mutating func refreshPictures() -> [Effect] {
        detail == nil ? pool.refreshQuietly() : refreshDetail()
    }

    /// Refreshes the open image, unless it is being loaded.
    mutating func refreshDetail() -> [Effect] {
        guard let detail, !detail.feedItem.isLocal, !detail.load.isPending,
            self.detail?.restart(keepsOnFailure: true) == true
        else { return [] }
        return [.openDetail(item: detail.item, refreshing: true)]
    }
}
