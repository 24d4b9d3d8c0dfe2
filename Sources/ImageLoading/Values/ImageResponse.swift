public import Decoders

/// Which level answered.
public enum ImageSource: String, Hashable, Sendable, CaseIterable {
    /// The memory cache.
    case memory
    /// The disk cache, or a `file:` URL.
    case disk
    /// The network.
    case network
}

/// A load that ended well.
public struct ImageResponse: Equatable, Sendable {
    /// The picture.
    public let image: DecodedImage
    /// Which level answered.
    public let source: ImageSource
    /// Size of the encoded body in bytes, or of the part of it that was enough
    /// (`LoadingOptions.stopWhenSufficient`); 0 for a memory hit.
    public let byteCount: Int
    /// The HTTP status; nil unless the network answered.
    public internal(set) var httpStatus: Int?
    /// Whether the server was asked, and said that the cached picture is still good.
    public var isNotModified = false
    /// Whether the picture is older than its server allows: the server can't be reached, allows it
    /// for a while, or must not be asked.
    public var isStale = false

    /// How long its stages took; nil of a preview, and of an image that was in memory.
    ///
    /// Loads that share the work share its times.
    public package(set) var times: LoadTimes?

    /// How soon its server may have another picture, by its own word; at least 5 s.
    ///
    /// That is the rest of a `max-age` or `Expires` of five minutes at most, or half the time since
    /// `Last-Modified` where that was within two minutes. Nil if the server says nothing of the kind, and
    /// of an image that was in memory.
    public package(set) var expectedChange: Duration?

    /// Whether it is a preview, made of a body of which only a part has come.
    public var isPreview = false

    /// Whether the bytes came over a connection whose certificate could not be verified, and was
    /// taken because the request allows it: to be said where the picture is shown.
    ///
    /// False for what a cache answers later.
    public var hasUnverifiedCertificate = false

    /// The encoded body, of a load with `LoadingOptions.includeBody`; else nil.
    public package(set) var body: [UInt8]?

    /// Joins an image with where it came from.
    public init(image: DecodedImage, source: ImageSource, byteCount: Int, httpStatus: Int?) {
        self.image = image
        self.source = source
        self.byteCount = byteCount
        self.httpStatus = httpStatus
    }
}

/// How far a transfer is.
public struct LoadProgress: Hashable, Sendable {
    /// Body bytes received.
    public let received: Int
    /// Body bytes expected; nil while or if unknown.
    public let expected: Int?
    /// Those of `received` that were there from an earlier transfer.
    public let resumedFrom: Int

    /// Makes a progress value.
    public init(received: Int, expected: Int?, resumedFrom: Int = 0) {
        self.received = received
        self.expected = expected
        self.resumedFrom = resumedFrom
    }

    /// 0 to 1, or nil while the length is unknown.
    public var fraction: Double? {
        guard let expected, expected > 0 else { return nil }
        return min(1, Double(received) / Double(expected))
    }
}

/// What a load tells its listener: any number of other events, then exactly one `finished`.
///
/// A listener that is slower than the transfer misses progress, never the newest.
public enum LoadEvent: Sendable {
    /// Waits for a free transfer slot.
    case queued
    /// Waits for its host, because of this error, and goes on when the host answers; only with
    /// `LoadingOptions.waitForHost`.
    case waiting(ImageLoadingError)
    /// The transfer runs.
    case progress(LoadProgress)
    /// A picture before the final one: the cached one while the server is asked whether it has
    /// changed, or a preview.
    indirect case image(ImageResponse)
    /// The end, cancelling included.
    indirect case finished(Result<ImageResponse, ImageLoadingError>)
}
