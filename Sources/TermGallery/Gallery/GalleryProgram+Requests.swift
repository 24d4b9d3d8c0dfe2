import Decoders
import Feeds
import GalleryCore
import ImageLoading

/// Methods that create engine requests for the items of the feed.
extension GalleryProgram {
    /// Returns the request for the image itself, or nil if the item does not exist.
    ///
    /// The image is loaded at full size unless `size` is given.
    func request(
        for item: Int,
        retrying: Bool,
        refreshing: Bool,
        size: PixelSize? = nil
    ) -> ImageRequest? {
        guard let feed, item < feed.count else { return nil }
        var options: LoadingOptions = []
        if retrying { options.insert(.retryFailed) }
        if refreshing { options.insert(.refreshCached) }
        return ImageRequest(
            url: feed[item].currentURL,
            targetSize: size,
            options: options,
            origin: feed.origin(at: item)
        )
    }

    /// Returns the request for a cell, which loads another version of the image if there is one.
    func thumbnail(
        of item: Int,
        retrying: Bool,
        refreshing: Bool
    ) -> ImageRequest? {
        guard var request = request(for: item, retrying: retrying, refreshing: refreshing) else {
            return nil
        }
        if let version = state.version(ofItem: item) {
            (request.url, request.alternatives) = (version.url, [request.url])
        }
        request.options.formUnion(.keptThumbnails)
        if !isExact, !itemsWithUntrueThumbnails.contains(item) {
            request.options.insert(.acceptThumbnail)
        }
        return request
    }
}
