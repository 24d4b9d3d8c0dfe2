/// Steers one download while it waits: whoever makes it may raise or lower the priority later.
///
/// Made before the download, so that a load that several callers share can hand its wishes on even
/// before the download has begun. One handle goes with one call of `ImageDownloader.body`.
public final class DownloadHandle: Sendable {
    private struct State {
        var priority: LoadPriority
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

    /// Ends the download well for its caller, with what has come of the body; returns whether it has
    /// ended.
    ///
    /// Callers who share the transfer go on. If there are none it is broken off, or lets its little
    /// rest come for the detachedDownloads. Not if the beginning could not be kept where the whole body will
    /// be: then all goes on, as it does before the head of the answer.
    public func finishEarly() -> Bool {
        let (downloader, listener) = state.withLock { ($0.downloader, $0.listener) }
        guard let downloader, let listener else { return false }
        return downloader.finishEarly(listener)
    }

    /// Ties the handle to a listener that the downloader knows already.
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
