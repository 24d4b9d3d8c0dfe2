internal import Decoders
internal import ImageLoading

/// The properties of an image file.
struct FileFacts: Equatable, Sendable {
    /// The size of the image in pixels.
    ///
    /// Until the file is loaded, this is the size from the feed.
    private(set) var size: PixelSize?
    private(set) var format: String?
    /// The length of the complete file in bytes.
    private(set) var byteCount: Int?
    /// The number of frames, which is greater than 1 for an animation.
    private(set) var frameCount = 1
    /// The error in a file that is damaged but could be decoded, or nil for an undamaged file.
    private(set) var damage: ImageDecodingError?

    init(size: PixelSize? = nil) {
        self.size = size
    }

    /// Updates the properties from a load event.
    mutating func take(_ event: LoadEvent) {
        switch event {
        case .queued, .waiting, .finished(.failure): break
        case .progress(let progress):
            if let expected = progress.expected, expected > 0 { byteCount = expected }
        case .preview(let response): take(response.image)
        case .finished(.success(let response)):
            take(response.image)
            // For an interrupted transfer, `response.byteCount` is the received length. The memory
            // cache doesn't store the length.
            byteCount = [byteCount ?? 0, response.byteCount].max().flatMap { $0 > 0 ? $0 : nil }
        }
    }

    private mutating func take(_ image: DecodedImage) {
        size = image.properties.size
        format = image.properties.format.displayName
        frameCount = image.properties.frameCount
        damage = image.damage
    }
}
