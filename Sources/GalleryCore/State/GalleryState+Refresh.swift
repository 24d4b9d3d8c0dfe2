internal import Feeds

/// Refreshing images that change on their servers.
extension GalleryState {
    /// Refreshes the visible images and the feed; current images remain until new ones arrive.
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
