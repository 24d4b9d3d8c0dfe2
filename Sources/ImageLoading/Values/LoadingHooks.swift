/// Where a program steps into the journey of a request; every hook is optional.
///
/// `cacheKey`, `headers` and `credentials` say which picture is meant, and are therefore called by
/// `ImageManager.load` itself, on its caller's thread, also if memory has the picture. The bodies'
/// hooks are called on the decode threads, where they may take their time; the others on the
/// engine's thread for short steps, and must not block.
public struct LoadingHooks: Sendable {
    /// Gives a URL another name in the caches, such as one without a signature's query;
    /// nil keeps the normalised URL.
    public var cacheKey: (@Sendable (ImageURL) -> String?)?
    /// Returns the complete header fields of a request in place of those given, which are the
    /// configuration's and the request's own; one that is left out is not sent.
    public var headers: (@Sendable (ImageURL, [HeaderField]) -> [HeaderField])?
    /// Changes a download as a whole before it is sent, and may take its time; an error it throws
    /// ends the load.
    public var modifyRequest:
        (@Sendable (DownloadRequest) async throws(ImageLoadingError) -> DownloadRequest)?
    /// Whether a URL may be fetched from the network.
    public var shouldDownload: (@Sendable (ImageURL) -> Bool)?
    /// Changes a downloaded body before it is decoded and kept, to decrypt it for example; nil ends
    /// the load with `processing`.
    public var transformBody: (@Sendable (ImageURL, [UInt8]) -> [UInt8]?)?
    /// What is kept on disk in place of a body; nil keeps nothing (cache serialiser and veto).
    public var bodyToStore: (@Sendable (ImageURL, [UInt8]) -> [UInt8]?)?
    /// The credentials for a host.
    ///
    /// What one user gets is never shown to another: a digest of the credentials is part of the
    /// key of transfer and caches.
    public var credentials: (@Sendable (_ host: String) -> HTTPCredentials?)?
    /// Whether and when a transfer that failed is tried again inside its load, in place of the
    /// table of Documentation/Errors.md; nil gives up.
    ///
    /// Asked after each failure of a load that somebody waits for, unless its host is left alone,
    /// up to `DownloaderConfiguration.maximumAttempts`. Called on any thread, and must be quick;
    /// `usualPause` is what the table says:
    ///
    ///     hooks.retryPause = { attempt in
    ///         attempt.elapsed < .seconds(20) ? attempt.usualPause : nil
    ///     }
    public var retryPause: (@Sendable (FailedAttempt) -> Duration?)?
    /// Hears what a person may be told about the network while loads go on: that a host is left
    /// alone and is back, and that fewer transfers are tried at once.
    ///
    /// Called on any thread, and must be quick.
    public var onNotice: (@Sendable (TransferNotice) -> Void)?

    /// Makes a set without hooks.
    public init() {}
}

/// What a person may be told about the network while loads go on: each is worth a line, and none
/// is the end of a load.
public enum TransferNotice: Hashable, Sendable {
    /// A host fails again and again, and is left alone for a while; loads that wait for it go on
    /// when it answers. The error is the last one.
    case hostUnavailable(host: String, ImageLoadingError)
    /// The host answers again.
    case hostAvailable(host: String)
    /// The host refuses or resets connections beside others: at most so many transfers at once
    /// are tried from now on. Told once of each host.
    case fewerTransfers(host: String, count: Int)
    /// Memory, threads or descriptors of our own are short, as the error says: the same for all
    /// hosts. Told once.
    case outOfResources(ImageLoadingError, count: Int)
}
