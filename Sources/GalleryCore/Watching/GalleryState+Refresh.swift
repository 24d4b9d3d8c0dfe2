/// Pictures that change on their servers.
extension GalleryState {
    /// Asks the servers for what is on the screen, and for the feed; pictures stay until there are newer ones, and where
    /// there are none.
    mutating func refreshVisible() -> [Effect] {
        isPaused ? [] : refreshPictures() + [.reloadFeed(isQuiet: true)]
    }

    private mutating func refreshPictures() -> [Effect] {
        detail == nil ? pool.refreshQuietly() : refreshDetail()
    }

    /// Asks the server for the open picture, unless it is asked for.
    mutating func refreshDetail() -> [Effect] {
        guard let detail, !detail.feedItem.isLocal, !detail.load.isPending,
            self.detail?.restart(keepsOnFailure: true) == true
        else { return [] }
        return [.openDetail(item: detail.item, refreshing: true)]
    }
}
