import SystemSupport

/// A request for the bytes of one URL.
public struct DownloadRequest: Hashable, Sendable {
    /// An absolute, normalized `http` or `https` URL; equal text means the same bytes.
    public var url: String
    /// The priority, unless a `DownloadHandle` is passed, whose priority takes precedence.
    public var priority: LoadPriority
    /// Header fields that are added to, or replace, those of the downloader's configuration.
    public var headers: [HeaderField]

    /// The partial body of an earlier transfer; only the rest is requested.
    public var partial: PartialBody?
    /// How the transfer treats the server.
    public var policy: TransferPolicy
    /// Whether the transfer continues to its end, for the downloader's `DetachedDownloads`, after
    /// the last caller has left.
    ///
    /// If callers share a transfer, one of them is enough.
    public var continuesInBackground = false
    /// Whether the listener receives the growing body, for previews.
    ///
    /// If callers share a transfer, one of them is enough.
    public var reportsPartials = false
    /// Whether to request a host that is being left alone because it failed too often, because a
    /// user wants to try it now.
    ///
    /// The transfer becomes the host's probe. If there already is a probe, the transfer waits for
    /// its end.
    public var asksUnavailableHost = false
    /// Whether the download waits, instead of failing, for a host that is unreachable, keeps
    /// failing or requests a pause.
    ///
    /// It waits up to `DownloaderConfiguration.patience`.
    public var waitsForHost = false
    /// Where the body is stored if no caller waits for it any more, or nil to drop it.
    var place: BodyPlace?
    /// The number of the request in the order in which requests were made, starting with 1.
    ///
    /// It determines the age of the download among downloads of equal priority.
    ///
    /// It is for callers whose requests arrive in another order, for example after disk lookups.
    /// Nil means the time of the call; then use nil for all requests.
    package var sequenceNumber: UInt64?

    /// Creates a request.
    public init(
        url: String,
        priority: LoadPriority = .normal,
        headers: [HeaderField] = [],
        partial: PartialBody? = nil,
        policy: TransferPolicy = TransferPolicy()
    ) {
        self.url = url
        self.priority = priority
        self.headers = headers
        self.partial = partial
        self.policy = policy
    }
}

/// An intermediate event of a download.
public enum DownloadEvent: Hashable, Sendable {
    /// The download waits for a free transfer, or for the next attempt after a transient failure.
    case queued
    /// The download waits for its host because of this error; only with
    /// `DownloadRequest.waitsForHost`.
    case waiting(ImageLoadingError)
    /// The transfer is running.
    ///
    /// The first event is `(0, nil)` at the start, then `(0, expected)` with the response head,
    /// then one for each piece of the body. A transfer that resumes a partial body counts toward
    /// the whole body and starts at `(partial, whole)` with its head.
    ///
    /// `received` never decreases within an attempt. The next attempt is announced by `queued` and
    /// counts from zero.
    case progress(LoadProgress)
    /// The body already received and its total length, if announced. Sent with each piece, for
    /// requests with `reportsPartials`.
    ///
    /// The bytes are shared with the download: keeping them makes the next piece copy all of them.
    case partial([UInt8], of: Int?)
}

/// Controls a download while it waits: its creator can raise or lower the priority later.
///
/// The handle is created before the download, so that a load shared by several callers can pass on
/// its priority before the download begins. A handle belongs to one call of `ImageDownloader.body`.
public final class DownloadHandle: Sendable {
    private struct State {
        var priority: LoadPriority
        var waitsForHost = false
        var downloader: ImageDownloader?
        var listener: ListenerID?
    }

    private let state: Protected<State>

    /// Creates a handle for a download with an initial priority.
    public init(priority: LoadPriority) {
        state = Protected(State(priority: priority))
    }

    /// The priority of the download.
    ///
    /// It may be set at any time on any thread; after the end, it has no effect.
    public var priority: LoadPriority {
        get { state.withLock { $0.priority } }
        set {
            let (downloader, listener) = state.withLock { state in
                state.priority = newValue
                return (state.downloader, state.listener)
            }
            guard let downloader, let listener else { return }
            downloader.applyPriority(of: self, to: listener)
        }
    }

    /// Whether the download waits for its host, as with `DownloadRequest.waitsForHost`.
    var waitsForHost: Bool { state.withLock { $0.waitsForHost } }

    /// Lets the download wait for its host from now on, whether or not it is already running.
    func waitForHost() {
        let (downloader, listener) = state.withLock { state in
            state.waitsForHost = true
            return (state.downloader, state.listener)
        }
        guard let downloader, let listener else { return }
        downloader.waitForHost(listener)
    }

    /// Ends the download successfully for its caller with the bytes already received, and returns
    /// whether it has ended.
    ///
    /// Callers that share the transfer keep it. Without other callers, it is stopped, or it ends
    /// detached if little is missing. If the partial body could not be stored where the complete
    /// body would be, or the response head has not been received, nothing changes.
    package func finishEarly() -> Bool {
        let (downloader, listener) = state.withLock { ($0.downloader, $0.listener) }
        guard let downloader, let listener else { return false }
        return downloader.finishEarly(listener)
    }

    /// Connects the handle to a listener that is about to join the downloader.
    func bind(to listener: ListenerID, of downloader: ImageDownloader) {
        state.withLock { state in
            state.downloader = downloader
            state.listener = listener
        }
    }

    /// Releases the downloader after the download has ended.
    func unbind() {
        state.withLock { state in
            state.downloader = nil
            state.listener = nil
        }
    }
}
