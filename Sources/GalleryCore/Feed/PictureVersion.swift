public import Decoders

/// A picture in one of the sizes in which its feed offers it.
public struct PictureVersion: Hashable, Sendable {
    /// An absolute URL.
    public let url: String
    /// In pixels; nil of a small one of which the feed says no more.
    public let width: Int?

    /// Makes a version.
    public init(url: String, width: Int? = nil) {
        (self.url, self.width) = (url, width)
    }
}

extension [PictureVersion] {
    /// The smallest that is at least as wide as a size; nil if there is none.
    ///
    /// One whose width is not known was made to be shown small, and is taken for one that fits.
    func version(for size: PixelSize) -> PictureVersion? {
        self.filter { ($0.width ?? size.width) >= size.width }
            .min { ($0.width ?? size.width) < ($1.width ?? size.width) }
    }
}

extension FeedItem {
    /// The version that is loaded for an image of a size; nil for the picture itself.
    public func version(for size: PixelSize) -> PictureVersion? {
        details?.versions.version(for: size)
    }
}
