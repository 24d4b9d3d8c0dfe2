package import Decoders

/// A version of an image in one of the sizes that the feed offers.
package struct PictureVersion: Hashable, Sendable {
    package let url: String
    /// The width in pixels, or nil for a small version of unknown width.
    package let width: Int?

    package init(url: String, width: Int? = nil) {
        (self.url, self.width) = (url, width)
    }
}

extension [PictureVersion] {
    /// Returns the smallest version at least as wide as `size`, or nil if all are narrower.
    ///
    /// A version of unknown width is a preview and is assumed to be wide enough.
    package func version(for size: PixelSize) -> PictureVersion? {
        self.filter { ($0.width ?? size.width) >= size.width }
            .min { ($0.width ?? size.width) < ($1.width ?? size.width) }
    }
}

extension FeedItem {
    /// Returns the version to load if the image is shown at `size`, or nil to load the image
    /// itself.
    package func version(for size: PixelSize) -> PictureVersion? {
        details?.versions.version(for: size)
    }
}
