/// Optional functions that let a program change how requests are made.
///
/// `cacheKey`, `headers` and `credentials` determine which image is requested, so
/// `ImageManager.load` calls them on the caller's thread, even if the image is in memory. The hooks
/// for bodies are called on decode threads, where they may take some time. `retryPause` and
/// `onNotice` are called on any thread, and the other hooks on the engine's thread for short steps;
/// none of them may block.
public struct LoadingHooks: Sendable {
    /// Returns a different name for a URL in the caches; nil keeps the normalized URL.
    ///
    /// For example, the name can be the URL without the query that contains its signature.
    public var cacheKey: (@Sendable (ImageURL) -> String?)?
    /// Returns all header fields of a request.
    ///
    /// The hook receives the fields of the configuration and of the request. Fields that it does
    /// not return are not sent.
    public var headers: (@Sendable (ImageURL, [HeaderField]) -> [HeaderField])?
    /// Changes the request of a download before it is sent.
    ///
    /// The hook may take some time. If it throws an error, the load ends with that error.
    public var modifyRequest:
        (@Sendable (DownloadRequest) async throws(ImageLoadingError) -> DownloadRequest)?
    /// Returns whether a URL may be requested from the network.
    public var shouldDownload: (@Sendable (ImageURL) -> Bool)?
    /// Changes a downloaded body before it is decoded and stored, for example to decrypt it.
    ///
    /// If the hook returns nil, the load fails with a `processing` error.
    public var transformBody: (@Sendable (ImageURL, [UInt8]) -> [UInt8]?)?
    /// Returns the bytes to store on disk instead of a body; if nil, nothing is stored.
    public var bodyToStore: (@Sendable (ImageURL, [UInt8]) -> [UInt8]?)?
    /// Returns the credentials for a host.
    ///
    /// The keys of transfers and caches contain a digest of the credentials, so the images of one
    /// user are never shown to another user.
    public var credentials: (@Sendable (_ host: String) -> HTTPCredentials?)?
    /// Returns the pause before a failed transfer is retried; nil ends the load.
    ///
    /// The result replaces the usual pause (see `Documentation/Errors.md`), which is passed as
    /// `usualPause`. The hook is called after each failure of a load that still has listeners, up
    /// to `DownloaderConfiguration.maximumAttempts`. It is not called while requests to the host
    /// are suspended. It may be called on any thread and must be quick.
    ///
    ///     hooks.retryPause = { attempt in
    ///         attempt.elapsed < .seconds(20) ? attempt.usualPause : nil
    ///     }
    public var retryPause: (@Sendable (FailedAttempt) -> Duration?)?
    /// Receives notices for the user about problems that affect transfers.
    ///
    /// For example, requests to a host are suspended, or fewer transfers run at the same time. The
    /// hook may be called on any thread and must be quick.
    public var onNotice: (@Sendable (TransferNotice) -> Void)?

    /// Creates hooks that are all nil.
    public init() {}
}

/// A notice for the user about a problem that affects transfers.
///
/// Each notice fits on one line. Loads continue after it.
public enum TransferNotice: Hashable, Sendable {
    /// A host has failed repeatedly, so requests to it are suspended for a while.
    ///
    /// Loads that wait for the host continue when it responds. The error is the latest one.
    case hostUnavailable(host: String, ImageLoadingError)
    /// The host responds again.
    case hostAvailable(host: String)
    /// The host refuses or resets connections while others are open.
    ///
    /// From now on, at most `count` transfers run at the same time. This notice is sent once for
    /// each host.
    case fewerTransfers(host: String, count: Int)
    /// This process has run out of memory, threads or file descriptors, which affects all hosts.
    ///
    /// The error describes the exhausted resource. This notice is sent once.
    case outOfResources(ImageLoadingError, count: Int)
}
