public import Decoders

/// The place from which an image was loaded.
public enum ImageSource: String, Hashable, Sendable, CaseIterable {
    /// The memory cache.
    case memory
    /// The disk cache, or a `file:` URL.
    case disk
    /// The network.
    case network
}

/// The result of a successful load.
public struct ImageResponse: Equatable, Sendable {
    /// The image.
    public let image: DecodedImage
    /// The place from which the image was loaded.
    public let source: ImageSource
    /// The size in bytes of the encoded body, or of the part of the body that was sufficient
    /// (`LoadingOptions.stopWhenSufficient`); 0 for a memory hit.
    public let byteCount: Int
    /// The HTTP status; nil unless the network provided the image.
    public internal(set) var httpStatus: Int?
    /// Whether the server confirmed that the cached image is still valid.
    public var isNotModified = false
    /// Whether the image is no longer fresh and was not revalidated, because the server is
    /// unreachable, permits the use of stale images for a while, or must not be contacted.
    public var isStale = false

    /// The durations of the load's stages; nil for a preview, and for an image that was in memory.
    ///
    /// Loads that share the work also share these durations.
    public package(set) var times: LoadTimes?

    /// The time after which the server is expected to have a new image, according to its response.
    ///
    /// If `max-age` or `Expires` specifies a lifetime of at most five minutes, the value is the
    /// remaining lifetime. If the server specifies no lifetime or a lifetime of 0, the value is
    /// half the time between `Last-Modified` and the response, provided that they are at most two
    /// minutes apart. The value is at least 5 s. It is nil in all other cases, and for an image
    /// that was in memory.
    public package(set) var expectedChange: Duration?

    /// Whether the image is a preview made from an incomplete body.
    public var isPreview = false

    /// Whether the bytes were received over a connection whose certificate could not be verified
    /// and was accepted because the request permits it.
    ///
    /// The program should show a warning next to the image. The value is false for later responses
    /// from a cache.
    public var hasUnverifiedCertificate = false

    /// The encoded body, for a load with `LoadingOptions.includeBody`; otherwise nil.
    public package(set) var body: [UInt8]?

    /// Creates a response from an image and its source.
    public init(image: DecodedImage, source: ImageSource, byteCount: Int, httpStatus: Int?) {
        self.image = image
        self.source = source
        self.byteCount = byteCount
        self.httpStatus = httpStatus
    }
}

/// The progress of a transfer.
public struct LoadProgress: Hashable, Sendable {
    /// The number of body bytes received.
    public let received: Int
    /// The expected number of body bytes; nil if it is unknown.
    public let expected: Int?
    /// The number of bytes in `received` that were received by an earlier transfer.
    public let resumedFrom: Int

    /// Creates a progress value.
    public init(received: Int, expected: Int?, resumedFrom: Int = 0) {
        self.received = received
        self.expected = expected
        self.resumedFrom = resumedFrom
    }

    /// The received fraction of the body, from 0 to 1, or nil if the length is unknown or zero.
    public var fraction: Double? {
        guard let expected, expected > 0 else { return nil }
        return min(1, Double(received) / Double(expected))
    }
}

/// An event that a load reports to its listener.
///
/// A load reports any number of other events and then exactly one `finished`. A listener that is
/// slower than the transfer misses some progress events, but never the latest one.
public enum LoadEvent: Sendable {
    /// The load waits for a free transfer slot.
    case queued
    /// The load waits for its host because of this error, and continues when the host responds;
    /// reported only with `LoadingOptions.waitForHost`.
    case waiting(ImageLoadingError)
    /// The transfer is running.
    case progress(LoadProgress)
    /// An intermediate image: the cached image while the server is asked whether the image has
    /// changed, or a preview.
    indirect case preview(ImageResponse)
    /// The end of the load, including cancellation.
    indirect case finished(Result<ImageResponse, ImageLoadingError>)

    /// Creates a `preview`, which was named `image`.
    ///
    /// A pattern (`case .image`) must be renamed, because only an enum case can be matched.
    @available(*, deprecated, renamed: "preview")
    public static func image(_ response: ImageResponse) -> LoadEvent { .preview(response) }
}
