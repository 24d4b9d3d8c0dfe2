import SystemSupport

/// A request for the bytes of one URL.
public struct DownloadRequest: Hashable, Sendable {
    /// An absolute, normalized `http` or `https` URL.
    ///
    /// Requests with equal URLs are assumed to return the same bytes.
    public var url: String
    /// The priority of the download.
    ///
    /// If a `DownloadHandle` is passed, the priority of the handle is used instead.
    public var priority: LoadPriority
    /// The header fields of this request.
    ///
    /// They are added to the downloader's configured fields and replace fields of the same name.
    public var headers: [HeaderField]

    /// The partial body of an earlier transfer; if set, only the missing bytes are requested.
    public var partial: PartialBody?
    /// The policy of the transfer, such as its credentials and limits.
    public var policy: TransferPolicy
    /// Whether the transfer runs to completion even if no caller is waiting anymore.
    ///
    /// The body is then passed to the downloader's `DetachedDownloads`. If several callers share a
    /// transfer, only one of them needs to set this property.
    public var continuesInBackground = false
    /// Whether the listener receives the incomplete body as it grows, for previews.
    ///
    /// If several callers share a transfer, only one of them needs to set this property.
    public var reportsPartials = false
    /// Whether to contact the host even if requests to it are suspended after repeated failures.
    ///
    /// Set this property if, for example, the user wants to retry now. The transfer becomes the
    /// host's probe: its result decides whether requests are resumed. If a probe is already
    /// running, the transfer waits until it ends.
    public var asksUnavailableHost = false
    /// Whether the download waits instead of failing if its host is unreachable, keeps failing, or
    /// requests a pause.
    ///
    /// The download waits for at most `DownloaderConfiguration.patience`.
    public var waitsForHost = false
    /// The cache location for the body if no caller waits for it anymore; nil drops the body.
    var place: BodyPlace?
    /// The sequence number of the request, counting from 1.
    ///
    /// Among downloads of equal priority, the number determines which is older. Set this property
    /// if the requests reach the downloader in a different order, for example after disk lookups.
    /// Set it for all requests or for none. If it is nil, the order of the calls is used.
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

/// An event that precedes the end of a download.
public enum DownloadEvent: Hashable, Sendable {
    /// The download is waiting for a transfer to start, or for the next attempt after a transient
    /// failure.
    case queued
    /// The download is waiting for its host because of this error.
    ///
    /// This event is sent only if `DownloadRequest.waitsForHost` is true.
    case waiting(ImageLoadingError)
    /// The transfer is running.
    ///
    /// The first event of an attempt is `(0, nil)`. The second event, `(0, expected)`, follows the
    /// response head. After that, an event is sent whenever more of the body has been received. If
    /// the transfer resumes a partial body, the numbers refer to the whole body, and the second
    /// event is `(partial, whole)`.
    ///
    /// `received` never decreases within an attempt. The `queued` event announces the next attempt,
    /// which counts from zero.
    case progress(LoadProgress)
    /// The received part of the body and, if announced, the length of the complete body.
    ///
    /// If `reportsPartials` is true, this event is sent whenever more of the body has been
    /// received. The array shares its storage with the download. If a listener keeps the array, all
    /// bytes are copied when more of the body is received.
    case partial([UInt8], of: Int?)
}

/// A handle for controlling a download, for example to change its priority while it waits.
///
/// The handle is created before the download, so a load with several callers can set the priority
/// before the download begins. Use each handle for only one call to `ImageDownloader.body`.
public final class DownloadHandle: Sendable {
    private struct State {
        var priority: LoadPriority
        var waitsForHost = false
        var downloader: ImageDownloader?
        var listener: ListenerID?
    }

    private let state: Protected<State>

    /// Creates a handle with an initial priority for the download.
    public init(priority: LoadPriority) {
        state = Protected(State(priority: priority))
    }

    /// The priority of the download.
    ///
    /// It can be set at any time, on any thread, but has no effect after the download has ended.
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

    /// Whether the download waits for its host (see `DownloadRequest.waitsForHost`).
    var waitsForHost: Bool { state.withLock { $0.waitsForHost } }

    /// Makes the download wait for its host from now on, whether or not it is already running.
    func waitForHost() {
        let (downloader, listener) = state.withLock { state in
            state.waitsForHost = true
            return (state.downloader, state.listener)
        }
        guard let downloader, let listener else { return }
        downloader.waitForHost(listener)
    }

    /// Ends the download for its caller with the bytes received so far as the result.
    ///
    /// Returns whether the download has ended. If other callers share the transfer, it continues
    /// for them. Otherwise, the transfer is stopped, or runs to completion for the disk cache if
    /// that is cheaper.
    ///
    /// The download does not end if no bytes of the body have been received. It also does not end
    /// if the complete body would be stored but the partial body cannot be.
    package func finishEarly() -> Bool {
        let (downloader, listener) = state.withLock { ($0.downloader, $0.listener) }
        guard let downloader, let listener else { return false }
        return downloader.finishEarly(listener)
    }

    /// Connects the handle to a listener before the listener joins the downloader.
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
