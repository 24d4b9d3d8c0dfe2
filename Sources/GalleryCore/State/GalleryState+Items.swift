package import Decoders
package import Feeds

/// Properties and methods for accessing the items of the feed and the visible items.
extension GalleryState {
    /// The feed, or nil if it has not arrived or could not be read.
    package var currentFeed: Feed? { try? feed?.get() }

    /// The number of items in the feed, including items that the filter hides.
    var feedCount: Int { currentFeed?.count ?? 0 }

    /// The number of items that pass the filter.
    var itemCount: Int { grid.count }

    /// The selected item, or nil if there are no items.
    package var selectedItem: Int? { grid.selectedItem }

    /// The positions of the visible items.
    ///
    /// The range is empty if the screen is too small or its size is unknown.
    var visiblePositions: Range<Int> {
        display.isSizeKnown && fits ? grid.layout.visiblePositions(topRow: grid.topRow) : 0..<0
    }

    /// The items on the screen.
    var visibleItems: [Int] { visiblePositions.map { grid.order[$0] } }

    /// Whether the screen is large enough to show an image.
    var fits: Bool { display.fits }

    /// Changes the visible items or their order.
    ///
    /// Loads of items that remain on the screen continue.
    mutating func show(_ order: ItemOrder) -> [Effect] {
        grid.show(order) ? loads.prefetching.end() + settle() : []
    }

    /// Returns the version of an item's image that a cell loads, or nil for the original image.
    ///
    /// The feed may offer the image in several sizes.
    package func version(ofItem item: Int) -> PictureVersion? {
        guard let feed = currentFeed, item < feed.count else { return nil }
        return pool.version(of: item, feed[item])
    }

    /// The open item and its thumbnail, as embedded in the file.
    ///
    /// The value is nil if the item's cell does not show the embedded thumbnail.
    package var thumbnailOfDetail: (item: Int, pixels: PixelBuffer)? {
        guard let item = detail?.item, let pixels = pool.slot(ofItem: item)?.thumbnail else {
            return nil
        }
        return (item, pixels)
    }
}
