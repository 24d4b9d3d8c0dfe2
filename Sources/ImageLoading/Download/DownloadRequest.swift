/// One request for the bytes behind one URL.
public struct DownloadRequest: Hashable, Sendable {
    /// An absolute `http` or `https` URL, already normalised: equal text means the same bytes.
    public var url: String
    /// Urgency, unless a `DownloadHandle` comes along, which then has the say.
    public var priority: LoadPriority
    /// Header lines that stand beside, or in place of, those of the downloader's configuration.
    public var headers: [HeaderField]

    /// The first part of the body, if an earlier transfer left one; the rest is asked for.
    public var partial: PartialBody?
    /// How the transfer is to treat the server.
    public var policy: TransferPolicy
    /// Whether the transfer continues to its end after the last caller has left, for the
    /// downloader's `DetachedDownloads`; of callers that share one, it is enough that one asks.
    public var continuesInBackground = false
    /// Whether the listener hears the body as it grows, for previews; of callers that share a
    /// transfer, it is enough that one asks.
    public var reportsPartials = false
    /// Whether to ask a host that is being left alone because it failed too often: a person wants
    /// it tried now.
    ///
    /// The transfer is the host's probe; while there is one already, it waits for that one's end.
    public var asksUnavailableHost = false
    /// Whether it waits for a host that can't be reached, fails again and again or asks for a pause,
    /// up to `DownloaderConfiguration.patience`, in place of failing.
    public var waitsForHost = false
    /// Where its body is kept if nobody waits for it any more; nil for nowhere.
    var place: BodyPlace?
    /// When the request was made, counted from 1: the age of the download among its equals.
    ///
    /// For callers whose requests come here in another order than they were made, by way of a disk
    /// cache, say. Nil takes the moment of asking; then leave it nil in every request.
    package var sequenceNumber: UInt64?

    /// Makes a request.
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

/// What a download tells its listener before it ends.
public enum DownloadEvent: Hashable, Sendable {
    /// It waits for a free transfer, or for its next attempt after a failure that may pass.
    case queued
    /// It waits for its host, because of this error; only with `DownloadRequest.waitsForHost`.
    case waiting(ImageLoadingError)
    /// The transfer runs. First `(0, nil)` at its start, then `(0, expected)` when the head is
    /// there, then once for each piece of the body. A transfer that resumes a partial body
    /// counts towards the whole, and stands at `(partial, whole)` with its head.
    ///
    /// `received` never falls within an attempt. The next attempt is announced by
    /// `queued`, and counts from zero: what is lost is lost.
    case progress(LoadProgress)
    /// The body as far as it has come, and its whole length if that was announced; with each piece,
    /// and only for requests with `reportsPartials`.
    ///
    /// Shares its bytes with the download: keeping them makes the next piece copy them all.
    case partial([UInt8], of: Int?)
}

/// Steers one download while it waits: whoever makes it may raise or lower the priority later.
///
/// Made before the download, so that a load that several callers share can hand its priority on
/// even before the download has begun. One handle goes with one call of `ImageDownloader.body`.
public final class DownloadHandle: Sendable {
    private struct State {
        var priority: LoadPriority
        var waitsForHost = false
        var downloader: ImageDownloader?
        var listener: ListenerID?
    }

    private let state: Protected<State>

    /// Makes a handle for a download that is to start at a priority.
    public init(priority: LoadPriority) {
        state = Protected(State(priority: priority))
    }

    /// How urgent the download is.
    ///
    /// Setting it is allowed at any time on any thread; after the end it has no effect.
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

    /// Whether the download waits for its host, as `DownloadRequest.waitsForHost`.
    var waitsForHost: Bool { state.withLock { $0.waitsForHost } }

    /// Lets the download wait for its host from now on; it may be under way or not.
    func waitForHost() {
        let (downloader, listener) = state.withLock { state in
            state.waitsForHost = true
            return (state.downloader, state.listener)
        }
        guard let downloader, let listener else { return }
        downloader.waitForHost(listener)
    }

    /// Ends the download well for its caller, with what has come of the body; returns whether it
    /// has ended.
    ///
    /// Callers that share the transfer keep it. If there are none it is broken off, or ends
    /// detached if little is missing. Not if the partial body could not be kept where the whole one
    /// will be: then nothing changes, as before the head of the answer.
    package func finishEarly() -> Bool {
        let (downloader, listener) = state.withLock { ($0.downloader, $0.listener) }
        guard let downloader, let listener else { return false }
        return downloader.finishEarly(listener)
    }

    /// Ties the handle to a listener that the downloader is about to know.
    func bind(to listener: ListenerID, of downloader: ImageDownloader) {
        state.withLock { state in
            state.downloader = downloader
            state.listener = listener
        }
    }

    /// Lets go of the downloader when the download has ended.
    func unbind() {
        state.withLock { state in
            state.downloader = nil
            state.listener = nil
        }
    }
}
