/// A source of image bytes that is not a web server, such as an archive, an object store or a
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
/// If the images are parts of local files or of resources on a web server, the source only
/// implements `location(of:)`, and the engine reads the bytes.
public protocol ImageDataSource: Sendable {
    /// Returns the location of the image at a URL; throws an error if there is no such image.
    ///
    /// The method is called for each request on the caller's thread, so it must not block. The
    /// default implementation returns `.written`.
    func location(of url: ImageURL) throws(ImageLoadingError) -> ImageDataLocation

    /// Writes the bytes of an image to `body`, in one or more pieces.
    ///
    /// The method returns when the body is complete. It is called only for images whose location is
    /// `.written`. It runs in its own task, which is cancelled when no request is waiting for the
    /// image. It must not block its thread: read files and devices on the program's own threads.
    ///
    /// If the method throws an `ImageLoadingError`, the load ends with that error; if the error is
    /// transient, the load is retried. Any other error is permanent and is shown with its own
    /// description.
    func read(_ url: ImageURL, into body: ImageDataWriter) async throws

    /// Returns the URL of an image after the resource that contains it has changed on its server.
    ///
    /// The new URL identifies the same image in the current version of the resource. The method is
    /// called at most once per load, and only for a `NetworkPart`. `network` reads other parts of
    /// the resource, such as the directory of an archive. If the result is nil, which is the
    /// default, the load fails.
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
    /// Returns `.written`, because the source writes the bytes of its images itself.
    public func location(of url: ImageURL) throws(ImageLoadingError) -> ImageDataLocation {
        .written
    }

    /// Throws an error, because the source does not write the bytes of its images.
    public func read(_ url: ImageURL, into body: ImageDataWriter) async throws {
        throw ImageLoadingError.download(.dataSource("the source writes no images"))
    }

    /// Returns nil, because the source does not search a changed resource for its images.
    public func currentURL(
        of url: ImageURL,
        reading network: NetworkReader
    ) async throws(ImageLoadingError) -> String? { nil }

    /// False: feeds from the network may not contain URLs with the source's scheme.
    public var isAvailableToRemoteFeeds: Bool { false }
}

/// The location of an image's bytes.
public enum ImageDataLocation: Sendable {
    /// `ImageDataSource.read(_:into:)` writes the bytes, and the engine caches them on disk.
    case written
    /// The bytes are on this machine, so they are not stored on disk again.
    case local(any LocalImageData)
    /// The bytes are part of a resource on a web server.
    case part(NetworkPart)
}

/// An image whose bytes are on this machine, such as a member of an archive.
public protocol LocalImageData: Sendable {
    /// The length of the image file in bytes.
    var byteCount: Int { get }

    /// The file that contains the image, or nil if thumbnails of the image must not be stored.
    ///
    /// Stored thumbnails are identified by the path of this file and the member in it.
    var container: ImageContainer? { get }

    /// Returns all bytes of the image file.
    ///
    /// The method blocks; the engine calls it on its own threads. It must not use much more memory
    /// than `maximumByteCount` bytes, even if the file claims a greater length. If the image is
    /// larger, throw the `tooLarge` error.
    func bytes(maximumByteCount: Int) throws(ImageLoadingError) -> [UInt8]

    /// Returns the first `byteCount` bytes of the image file.
    ///
    /// Returns nil if the file has at most `byteCount` bytes, or if it cannot be read partially.
    /// The result must have exactly `byteCount` bytes. The method blocks. The engine looks for an
    /// embedded thumbnail in the result.
    func prefix(byteCount: Int) -> [UInt8]?
}

extension LocalImageData {
    /// Returns nil, because the image cannot be read partially.
    public func prefix(byteCount: Int) -> [UInt8]? { nil }
}

/// An image in a file that contains several images.
public struct ImageContainer: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// A nonempty string that identifies the image in the file.
    ///
    /// If the file may change, the string must also identify the version of the file.
    public let member: String

    /// Creates a description of the image `member` in the file at `path`.
    public init(path: String, member: String) {
        self.path = path
        self.member = member
    }
}
