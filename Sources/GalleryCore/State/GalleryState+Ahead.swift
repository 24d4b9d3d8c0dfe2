internal import ImageLoading

/// Loading what is not visible yet.
extension GalleryState {
    /// Brings the loads ahead in line with the screen, after any message.
    mutating func followScroll() -> [Effect] {
        guard settings.loadsAhead, itemCount > 0, knowsScreen, fits else {
            return loadingAhead.end()
        }
        let scene = LoadingAhead.Scene(
            visible: visibleItems,
            itemCount: itemCount,
            targetSize: targetSize,
            isBusy: isPaused || pool.isWaiting || detail?.load.isPending == true,
            isForbidden: statistics.memoryStage?.allowsPrefetching == false
        )
        return loadingAhead.follow(scene)
    }
}
