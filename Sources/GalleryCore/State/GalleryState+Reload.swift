package import Feeds
internal import ImageLoading

/// Methods that reload a feed while it is displayed.
extension GalleryState {
    /// Requests a reload of the feed.
    mutating func reloadFeed() -> [Effect] {
        notice = Notice("reading the feed again…")
        return [.feed(.reload(isQuiet: false))] + checkFiles() + refreshSelected()
            + pool.reloadFolders()
    }

    /// Revalidates the selected image, or the open image, with its server.
    private mutating func refreshSelected() -> [Effect] {
        guard detail == nil else { return refreshDetail() }
        guard let item = selectedItem else { return [] }
        return pool.refreshQuietly { $0.item == item }
    }

    // MARK: Changed files

    /// Requests a check of the local files, if any are visible.
    ///
    /// Files in archives are not checked.
    func checkFiles() -> [Effect] {
        let showsFile =
            detail.map { PictureAddress.path(ofURL: $0.feedItem.url) != nil } ?? pool.showsFiles
        return showsFile ? [.files(.checkAll)] : []
    }

    /// Reloads the visible images of files that have changed.
    mutating func reload(files urls: Set<String>) -> [Effect] {
        var effects: [Effect] = []
        if let url = detail?.feedItem.url, urls.contains(url) {
            detail?.expectNewContent()
            effects = detail?.restart(refreshing: true) ?? []
        }
        return effects + pool.reload(files: urls)
    }

    /// Returns whether the file at `url` is displayed and its image is missing or incomplete.
    func mayBeUnfinished(_ url: String) -> Bool {
        if let detail, detail.feedItem.url == url, detail.mayBeUnfinished { return true }
        return pool.mayBeUnfinished(url)
    }

    /// Requests a later check of a local file if its image was incomplete when its load ended.
    ///
    /// Another program may still be writing the file.
    func checkLater(_ event: LoadEvent, url: String?) -> [Effect] {
        guard let url, case .finished = event, mayBeUnfinished(url) else { return [] }
        return [.files(.checkLater(url: url))]
    }

    /// Applies the result of a reload.
    ///
    /// The remaining items keep their state, such as marks, although their item numbers change.
    mutating func take(_ reload: FeedReload) -> [Effect] {
        let notice = reading.notice(about: reload)
        defer { if let notice { self.notice = notice } }
        guard let change = reload.change else {
            return reload.faults.isEmpty ? [] : leaveDeletedFolder()
        }
        guard case .success? = feed else { return open(.success(change.feed)) }
        showNewRemark(of: change.feed)
        return renumber(change.numbers, of: change.feed, addsNewItems: reload.isNews)
    }

    /// Returns whether the open image is missing from the reloaded feed.
    ///
    /// If so, the caller must not apply the change until the user has closed the image.
    package func isLookingAtGone(_ numbers: FeedRenumbering) -> Bool {
        detail.map { numbers[$0.item] == nil } ?? false
    }

    /// Replaces the feed with a reloaded version.
    ///
    /// The same item stays selected, in the same row of the screen. If it was removed, the nearest
    /// remaining item is selected.
    private mutating func renumber(
        _ numbers: FeedRenumbering,
        of feed: Feed,
        addsNewItems: Bool
    ) -> [Effect] {
        self.feed = .success(feed)
        walk.open(feed.folder)
        choices.renumber(numbers)
        reading.renumber(numbers, addsNewItems: addsNewItems)
        labeling.endSearch()
        animation.renumber(numbers)
        slideshow.renumber(numbers)
        grid.renumber(numbers, in: finding.arrangement.isPlain ? wholeOrder : nil)
        let shown = pool.renumber(numbers, of: feed)
        return renumberDetail(numbers, of: feed) + shown + loads.prefetching.end() + settle()
            + findAnew()
    }

    /// Updates the image view after the feed is reloaded.
    ///
    /// If the URL of the open image has changed, the image is reloaded. If the image was removed,
    /// the view is closed.
    private mutating func renumberDetail(
        _ numbers: FeedRenumbering,
        of feed: Feed
    ) -> [Effect] {
        guard let old = detail?.item else { return [] }
        guard let item = numbers[old] else { return closeDetail() }
        let feedItem = feed[item]
        let isSame = detail?.feedItem.currentURL == feedItem.currentURL
        detail?.item = item
        detail?.feedItem = feedItem
        return isSame ? [] : detail?.restart() ?? []
    }

    /// Filters, sorts and searches the new feed with the settings used for the old feed.
    ///
    /// Pending results are discarded because they refer to the old feed.
    private mutating func findAnew() -> [Effect] {
        finding.discardResults()
        guard finding.arrangement.isPlain else { return arrange() }
        guard let needle = finding.search?.needle else { return [] }
        return find(needle, jumpingFrom: nil)
    }
}
