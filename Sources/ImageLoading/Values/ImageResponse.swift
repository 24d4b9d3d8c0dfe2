public import Decoders

/// The source that an image was loaded from.
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
    /// The source that the image was loaded from.
    public let source: ImageSource
    /// The size of the encoded body in bytes; 0 if the image was in memory.
    ///
    /// If part of the body was sufficient (`LoadingOptions.stopWhenSufficient`), this is the size
    /// of that part.
    public let byteCount: Int
    /// The HTTP status; nil if the image is not from the network.
    public internal(set) var httpStatus: Int?
    /// Whether the server confirmed that the cached image is still current.
    public var isNotModified = false
    /// Whether the image is stale and was not revalidated.
    ///
    /// A stale image is used if the server is unreachable, allows the use of stale images for a
    /// while, or must not be contacted.
    public var isStale = false

    /// The durations of the load's steps; nil for a preview and for an image in memory.
    ///
    /// Loads that share the work have the same durations.
    public package(set) var times: LoadTimes?

    /// The time until the server is expected to have a new image, according to its response.
    ///
    /// If `max-age` or `Expires` specifies a lifetime of at most five minutes, the value is the
    /// remaining lifetime. If the lifetime is 0 or not specified, the value is half the time
    /// between `Last-Modified` and the response, but only if that time is at most two minutes. The
    /// value is at least 5 s. In all other cases, and for an image in memory, it is nil.
    public package(set) var expectedChange: Duration?

    /// Whether the image is a preview made from part of the body.
    public var isPreview = false

    /// Whether the server's certificate could not be verified and was accepted.
    ///
    /// It is accepted only if the request allows that. The program should show a warning next to
    /// the image. The value is false if the image is later loaded from a cache.
    public var hasUnverifiedCertificate = false

    /// The encoded body; nil unless the load uses `LoadingOptions.includeBody`.
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
    /// The expected length of the body in bytes; nil if it is unknown.
    public let expected: Int?
    /// The number of bytes in `received` that came from an earlier transfer.
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

/// An event that a load sends to its listener.
///
/// The last event is `finished`, which is sent exactly once. A listener that is slower than the
/// transfer misses some progress events, but never the latest one.
public enum LoadEvent: Sendable {
    /// The load is waiting for a free transfer slot.
    case queued
    /// The load is waiting for its host because of this error and continues when the host responds.
    ///
    /// This event is sent only with `LoadingOptions.waitForHost`.
    case waiting(ImageLoadingError)
    /// The transfer is running.
    case progress(LoadProgress)
    /// An image that may be replaced later: a preview, or the cached image during revalidation.
    indirect case preview(ImageResponse)
    /// The end of the load, including cancellation.
    indirect case finished(Result<ImageResponse, ImageLoadingError>)

    /// Creates a `preview`, which was formerly named `image`.
    ///
    /// Replace the pattern `case .image` with `case .preview`, because a pattern can match only an
    /// enum case.
    @available(*, deprecated, renamed: "preview")
    public static func image(_ response: ImageResponse) -> LoadEvent { .preview(response) }
}
