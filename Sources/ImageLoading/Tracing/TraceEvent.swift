/// An event that the engine reports to a listener.
///
/// `--trace` writes each event as a line of JSON.
public struct TraceEvent: Hashable, Sendable {
    /// The kind of an event.
    public enum Kind: Hashable, Sendable {
        /// The download is waiting for a transfer slot.
        case queued(LoadPriority)
        /// The load shares the work of an equal load that is already running.
        case coalesced
        /// A cache contained the image.
        case hit(ImageSource)
        /// No cache contained the image.
        case missed
        /// A transfer started; the first `resumedFrom` bytes were received by an earlier transfer.
        case started(resumedFrom: Int)
        /// The status line and header fields of the response were received.
        case firstByte(status: Int, expected: Int?)
        /// Body bytes were received.
        case progress(LoadProgress)
        /// The server confirmed a cached body, with status 304 or by sending the same bytes again.
        case notModified
        /// An image was decoded or processed; the value is the duration of this work.
        case decoded(Duration)
        /// A body or an image of `byteCount` bytes was stored.
        case stored(ImageSource, byteCount: Int)
        /// A transient failure occurred; the next attempt begins after the pause.
        case retried(attempt: Int, pause: Duration)
        /// All listeners have left, but the transfer continues.
        case detached
        /// The last listener has left. The remaining `savedByteCount` bytes are not downloaded.
        case cancelled(savedByteCount: Int)
        /// The received part is sufficient. The remaining `savedByteCount` bytes are not
        /// downloaded.
        case stoppedEarly(savedByteCount: Int)
        /// A load ended with an image from this source.
        case succeeded(ImageSource)
        /// A load ended with an error.
        case failed(ImageLoadingError)
        /// Entries were removed from a cache to keep it within its limit.
        case evicted(ImageSource, count: Int, byteCount: Int)
        /// A cache was emptied or trimmed, or entries expired.
        case purged(ImageSource, byteCount: Int, reason: String)
        /// Requests to a host were suspended, or are allowed again.
        case hostAvailability(isAvailable: Bool)
    }

    /// The time of the event on the engine's monotonic clock.
    public var time: Duration
    /// The URL without its secrets (user, password and query), or the host.
    ///
    /// Nil if the event is not about a URL or a host.
    public var subject: String?
    /// The kind of the event.
    public var kind: Kind

    /// Creates an event.
    public init(time: Duration, subject: String?, kind: Kind) {
        self.time = time
        self.subject = subject
        self.kind = kind
    }
}

/// Sends events from the engine's components to the listener, if any.
///
/// `record` may be called on any thread, but never while a lock is held. The listener must return
/// quickly.
struct Tracer: Sendable {
    private let clock: LoadingClock
    private let listener: (@Sendable (TraceEvent) -> Void)?

    init(clock: LoadingClock, listener: (@Sendable (TraceEvent) -> Void)?) {
        self.clock = clock
        self.listener = listener
    }

    static let silent = Tracer(clock: .system, listener: nil)

    /// Whether there is a listener; if not, events that are expensive to create can be omitted.
    var isListening: Bool { listener != nil }

    /// Sends an event to the listener, after removing the secrets from the URL.
    func record(_ kind: TraceEvent.Kind, url: @autoclosure () -> String? = nil) {
        guard let listener else { return }
        let subject = url().map(URLParts.redacted)
        listener(TraceEvent(time: clock.uptime(), subject: subject, kind: kind))
    }
}
