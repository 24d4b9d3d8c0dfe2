/// The points at which a program can intervene in a request; every hook is optional.
///
/// `cacheKey`, `headers` and `credentials` determine which image is requested. Therefore
/// `ImageManager.load` itself calls them on the caller's thread, even if the image is in memory.
/// The hooks for bodies are called on the decode threads, where they may take some time.
/// `retryPause` and `onNotice` are called on any thread, and the other hooks on the engine's thread
/// for short steps; none of them may block.
public struct LoadingHooks: Sendable {
    /// Returns another name for a URL in the caches, such as the URL without the query that
    /// contains its signature; nil keeps the normalized URL.
    public var cacheKey: (@Sendable (ImageURL) -> String?)?
    /// Returns the complete header fields of a request.
    ///
    /// The hook receives the fields of the configuration and of the request. Fields that it omits
    /// are not sent.
    public var headers: (@Sendable (ImageURL, [HeaderField]) -> [HeaderField])?
    /// Changes the request of a download before it is sent.
    ///
    /// The hook may take some time. An error that it throws ends the load.
    public var modifyRequest:
        (@Sendable (DownloadRequest) async throws(ImageLoadingError) -> DownloadRequest)?
    /// Returns whether a URL may be requested from the network.
    public var shouldDownload: (@Sendable (ImageURL) -> Bool)?
    /// Changes a downloaded body before it is decoded and stored, for example to decrypt it; nil
    /// ends the load with the error `processing`.
    public var transformBody: (@Sendable (ImageURL, [UInt8]) -> [UInt8]?)?
    /// Returns the bytes to store on disk instead of a body; nil stores nothing.
    public var bodyToStore: (@Sendable (ImageURL, [UInt8]) -> [UInt8]?)?
    /// Returns the credentials for a host.
    ///
    /// Images of one user are never shown to another user, because a digest of the credentials is
    /// part of the keys of transfers and caches.
    public var credentials: (@Sendable (_ host: String) -> HTTPCredentials?)?
    /// Returns the pause before a failed transfer is retried within its load, which overrides the
    /// table in Documentation/Errors.md; nil ends the load.
    ///
    /// The hook is called after each failure of a load that still has listeners, unless requests to
    /// its host are suspended, up to `DownloaderConfiguration.maximumAttempts`. It may be called on
    /// any thread and must be quick. `usualPause` is the value from the table:
    ///
    ///     hooks.retryPause = { attempt in
    ///         attempt.elapsed < .seconds(20) ? attempt.usualPause : nil
    ///     }
    public var retryPause: (@Sendable (FailedAttempt) -> Duration?)?
    /// Receives notices for the user about conditions that affect transfers, such as a host to
    /// which requests are suspended, or a lower limit on simultaneous transfers.
    ///
    /// The hook may be called on any thread and must be quick.
    public var onNotice: (@Sendable (TransferNotice) -> Void)?

    /// Creates a set without hooks.
    public init() {}
}

/// A notice for the user about conditions that affect transfers.
///
/// Each notice fits on one line, and loads continue after it.
public enum TransferNotice: Hashable, Sendable {
    /// A host fails repeatedly, and requests to it are suspended for a while.
    ///
    /// Loads that wait for the host continue when it responds. The error is the latest one.
    case hostUnavailable(host: String, ImageLoadingError)
    /// The host responds again.
    case hostAvailable(host: String)
    /// The host refuses or resets connections while others are open, so at most `count` transfers
    /// run at once from now on.
    ///
    /// The notice is reported once for each host.
    case fewerTransfers(host: String, count: Int)
    /// This process lacks memory, threads or descriptors, as the error describes, which affects all
    /// hosts.
    ///
    /// The notice is reported once.
    case outOfResources(ImageLoadingError, count: Int)
}
