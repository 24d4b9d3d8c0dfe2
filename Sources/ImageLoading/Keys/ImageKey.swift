public import Decoders

/// What a decoded picture is filed under in memory: one URL may be there in several sizes.
public struct ImageKey: Hashable, Sendable {
    /// The URL's `cacheKey`.
    public let url: String
    /// The box it was decoded into; nil for full size.
    public let targetSize: PixelSize?
    /// How it was laid into the box.
    ///
    /// At full size the mode changes nothing and is always `fit`.
    public let contentMode: ContentMode
    /// Identifiers of what was done to it after decoding, in order (row M28).
    public let processing: [String]

    /// Makes the key of a picture at a size, with what was done to it.
    public init(
        url: ImageURL,
        targetSize: PixelSize? = nil,
        contentMode: ContentMode = .fit,
        processing: [String] = []
    ) {
        self.url = url.cacheKey
        self.targetSize = targetSize
        self.processing = processing
        self.contentMode = targetSize == nil ? .fit : contentMode
    }
}
