/// An event of the engine that is reported to observers.
///
/// `--trace` writes each event as a line of JSON.
public struct TraceEvent: Hashable, Sendable {
    /// The kind of an event.
    public enum Kind: Hashable, Sendable {
        /// The download waits for a transfer slot.
        case queued(LoadPriority)
        /// The load joined running work.
        case coalesced
        /// A cache contained the image.
        case hit(ImageSource)
        /// No cache contained the image.
        case missed
        /// A transfer starts; `resumedFrom` bytes were received by an earlier transfer.
        case started(resumedFrom: Int)
        /// The head of the response was received.
        case firstByte(status: Int, expected: Int?)
        /// Body bytes were received.
        case progress(LoadProgress)
        /// The server confirmed a cached body, with status 304 or by sending the same bytes again.
        case notModified
        /// An image was decoded or processed; the value is the duration of this work.
        case decoded(Duration)
        /// A body or an image of this size was stored.
        case stored(ImageSource, byteCount: Int)
        /// A transient failure occurred; the next attempt follows after a pause.
        case retried(attempt: Int, pause: Duration)
        /// A transfer continues without a listener.
        case detached
        /// The last listener left, so `savedByteCount` announced bytes need not be sent.
        case cancelled(savedByteCount: Int)
        /// The received part is sufficient, so `savedByteCount` announced bytes need not be sent.
        case stoppedEarly(savedByteCount: Int)
        /// A load ended with an image from this source.
        case succeeded(ImageSource)
        /// A load ended with an error.
        case failed(ImageLoadingError)
        /// Entries were removed from a cache to keep it within its limit.
        case evicted(ImageSource, count: Int, byteCount: Int)
        /// A cache was emptied or trimmed, or entries expired, for the given reason.
        case purged(ImageSource, byteCount: Int, reason: String)
        /// Requests to a host are suspended for a while, or are permitted again.
        case hostAvailability(isAvailable: Bool)
    }

    /// The time of the event on the engine's monotonic clock.
    public var time: Duration
    /// The URL without its secrets (user, password and query), or the host; nil if the event
    /// concerns neither.
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

/// Passes the events of the engine's components to a listener, if there is one.
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

    /// Whether there is a listener; if there is none, costly events need not be created.
    var isListening: Bool { listener != nil }

    /// Reports an event, after removing the secrets from its URL.
    func record(_ kind: TraceEvent.Kind, url: @autoclosure () -> String? = nil) {
        guard let listener else { return }
        let subject = url().map(URLParts.redacted)
        listener(TraceEvent(time: clock.uptime(), subject: subject, kind: kind))
    }
}
