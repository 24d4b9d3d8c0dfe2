/// A source of image bytes other than a web server, such as an archive, an object store or a
/// camera.
///
/// Register a source for each custom URL scheme in `ImageManagerConfiguration.sources`. Loads from
/// the source are treated like all other loads: they are queued, coalesced, cancelled, retried and
/// cached on disk and in memory. There is no need to imitate HTTP.
///
///     struct Archive: ImageDataSource {
///         func read(_ url: ImageURL, into body: ImageDataWriter) async throws {
///             body.write(try await member(named: url.absoluteString))
///         }
///     }
///
///     configuration.sources["zip"] = Archive()
///     let request = ImageRequest(url: "zip://photos/0001.jpg")
///
/// A source whose images are parts of local files, or parts of resources on a web server, does not
/// need to read the bytes itself: it implements `location(of:)`, and the engine reads them.
public protocol ImageDataSource: Sendable {
    /// Returns the location of the image for a URL, or throws if the URL does not identify an
    /// image.
    ///
    /// The method is called for each request on the caller's thread, so it must not block. The
    /// default is `.written`.
    func location(of url: ImageURL) throws(ImageLoadingError) -> ImageDataLocation

    /// Writes the bytes of the image for a URL to `body`, in one or more pieces, and returns when
    /// the body is complete.
    ///
    /// The method is called only for images whose location is `.written`. It runs in its own task,
    /// which is cancelled when no request waits for the image anymore. It must not block its
    /// thread: read files and devices on one of the program's own threads. If it throws an
    /// `ImageLoadingError`, the load ends with that error and is retried if the error is transient.
    /// Any other error is permanent and is shown with its own description.
    func read(_ url: ImageURL, into body: ImageDataWriter) async throws

    /// Returns the URL of the same image in the current version of a resource on a server, after
    /// the resource has changed.
    ///
    /// The method is called at most once per load, and only for a `NetworkPart`. `network` reads
    /// other parts of the resource, such as the directory of an archive. If the result is nil,
    /// which is the default, the load fails because the resource has changed.
    func currentURL(
        of url: ImageURL,
        reading network: NetworkReader
    ) async throws(ImageLoadingError) -> String?

    /// Whether feeds from the network may contain URLs with the source's scheme; false by default.
    ///
    /// Return true only if such a URL cannot reveal or change anything on this machine.
    var isAvailableToRemoteFeeds: Bool { get }
}

extension ImageDataSource {
    /// Returns `.written`, because the source writes the body itself.
    public func location(of url: ImageURL) throws(ImageLoadingError) -> ImageDataLocation {
        .written
    }

    /// Throws an error, because the source writes no bodies: all its images have another location.
    public func read(_ url: ImageURL, into body: ImageDataWriter) async throws {
        throw ImageLoadingError.download(.dataSource("the source writes no images"))
    }

    /// Returns nil, because the source does not look for images in a changed resource.
    public func currentURL(
        of url: ImageURL,
        reading network: NetworkReader
    ) async throws(ImageLoadingError) -> String? { nil }

    /// The default value, false: feeds from the network may not contain URLs with the source's
    /// scheme.
    public var isAvailableToRemoteFeeds: Bool { false }
}

/// The place from which the engine gets the bytes of an image.
public enum ImageDataLocation: Sendable {
    /// `ImageDataSource.read(_:into:)` writes the bytes, which are then cached on disk.
    case written
    /// The bytes are on this machine, so they are not stored on disk again.
    case local(any LocalImageData)
    /// The bytes are a part of a resource on a web server.
    case part(NetworkPart)
}

/// An image whose bytes are on this machine, such as a member of an archive.
public protocol LocalImageData: Sendable {
    /// The length of the image file in bytes.
    var byteCount: Int { get }

    /// The file that contains the bytes, or nil if thumbnails of the image must not be stored.
    var container: ImageContainer? { get }

    /// Returns all bytes.
    ///
    /// The method blocks; the engine calls it on its own threads. It must not use much more memory
    /// than `maximumByteCount` bytes, regardless of the length that the file claims. For a larger
    /// image, it throws the error `tooLarge`.
    func bytes(maximumByteCount: Int) throws(ImageLoadingError) -> [UInt8]

    /// Returns the first `byteCount` bytes, or nil if the image is not longer than that or cannot
    /// be read in part.
    ///
    /// The method blocks. The engine looks for an embedded thumbnail in the result, which must have
    /// exactly `byteCount` bytes.
    func prefix(byteCount: Int) -> [UInt8]?
}

extension LocalImageData {
    /// Returns nil, because the image cannot be read in part.
    public func prefix(byteCount: Int) -> [UInt8]? { nil }
}

/// An image in a file that contains several images.
public struct ImageContainer: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// A nonempty string that identifies the image, and also the version of the file if the file
    /// may change.
    public let member: String

    /// Creates a value for the image `member` in the file at `path`.
    public init(path: String, member: String) {
        self.path = path
        self.member = member
    }
}
