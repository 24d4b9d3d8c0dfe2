internal import Feeds
internal import ImageLoading

/// Methods that prefetch images, and refresh images that change on their servers.
///
/// The loads that these methods start are not associated with a cell.
extension GalleryState {
    /// Updates prefetching after a message is handled.
    mutating func followScroll() -> [Effect] {
        guard settings.prefetches, itemCount > 0, display.isSizeKnown, fits else {
            return loads.prefetching.end()
        }
        let context = PrefetchPlanner.Context(
            visible: visiblePositions,
            itemCount: itemCount,
            targetSize: targetSize,
            isBusy: loads.isPaused || pool.isWaiting || detail?.load.isPending == true,
            isForbidden: statistics.forbidsPrefetching
        )
        // The planner uses positions, whereas the effects use items.
        return loads.prefetching.follow(context).map { effect in
            guard case .prefetch(.load(let request?)) = effect else { return effect }
            return .prefetch(.load(request.map { grid.order[$0] }))
        }
    }

    // MARK: Refreshing

    /// Refreshes the visible images and the feed.
    ///
    /// The current images stay on the screen until the new images arrive.
    mutating func refreshVisible() -> [Effect] {
        loads.isPaused ? [] : refreshPictures() + [.feed(.reload(isQuiet: true))]
    }

    private mutating func refreshPictures() -> [Effect] {
        detail == nil ? pool.refreshQuietly() : refreshDetail()
    }

    /// Refreshes the open image, unless it is being loaded.
    mutating func refreshDetail() -> [Effect] {
        guard let detail, !detail.feedItem.isLocal, !detail.load.isPending else { return [] }
        return self.detail?.restart(refreshing: true, keepsOnFailure: true) ?? []
    }

    /// Requests the image at `url` again if it is visible.
    ///
    /// If loading is paused or a different image is open, the timer for `url` is restarted instead.
    mutating func askAgain(_ url: String) -> [Effect] {
        loads.expectedChanges.end(url)
        guard !loads.isPaused else { return loads.expectedChanges.wait(for: url) }
        guard let detail else { return pool.refreshQuietly { $0.url == url } }
        guard detail.feedItem.url == url else { return loads.expectedChanges.wait(for: url) }
        return refreshDetail()
    }
}
