/// One thing that happened in the engine, for those who watch it: `--trace` writes each as a line
/// of JSON.
public struct TraceEvent: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// Waits for a transfer slot.
        case queued(LoadPriority)
        /// Joined work that is under way.
        case coalesced
        /// A cache answered.
        case hit(ImageSource)
        /// No cache answered.
        case missed
        /// A transfer begins; `resumedFrom` bytes are there from an earlier one.
        case started(resumedFrom: Int)
        /// The head of the answer.
        case firstByte(status: Int, expected: Int?)
        /// Body bytes so far.
        case progress(LoadProgress)
        /// The server says that a cached body is still good (304).
        case notModified
        /// An image was decoded or processed in so long a time.
        case decoded(Duration)
        /// A body or an image of so many bytes was kept.
        case stored(ImageSource, byteCount: Int)
        /// A failure that may pass: the next attempt comes after a pause.
        case retried(attempt: Int, pause: Duration)
        /// A transfer runs on without a listener.
        case detached
        /// The last listener left; so many announced bytes need not be sent.
        case cancelled(savedByteCount: Int)
        /// What has come makes the image; so many announced bytes need not be sent.
        case stoppedEarly(savedByteCount: Int)
        /// A load ended with an image from there.
        case succeeded(ImageSource)
        /// A load ended without one.
        case failed(ImageLoadingError)
        /// Removed from a cache to stay inside its budget.
        case evicted(ImageSource, count: Int, byteCount: Int)
        /// A cache was emptied or trimmed, or entries expired; the text says why.
        case purged(ImageSource, byteCount: Int, reason: String)
        /// A host is no longer asked for a while, or is asked again.
        case hostAvailability(isAvailable: Bool)
    }

    /// When, by the engine's monotonic clock.
    public var time: Duration
    /// The URL without its secrets (no user, password or query), or the host; nil if it concerns no
    /// single one.
    public var subject: String?
    /// What.
    public var kind: Kind

    /// Makes an event.
    public init(time: Duration, subject: String?, kind: Kind) {
        self.time = time
        self.subject = subject
        self.kind = kind
    }
}

/// Where the engine's parts report what they do; does nothing without a listener.
///
/// `record` may be called on any thread, never under a lock; the listener must be quick.
struct Tracer: Sendable {
    private let clock: LoadingClock
    private let listener: (@Sendable (TraceEvent) -> Void)?

    init(clock: LoadingClock, listener: (@Sendable (TraceEvent) -> Void)?) {
        self.clock = clock
        self.listener = listener
    }

    static let silent = Tracer(clock: .system, listener: nil)

    /// Whether anybody listens; to spare the making of costly events.
    var isListening: Bool { listener != nil }

    /// Reports an event about a URL, whose secrets are taken out here.
    func record(_ kind: TraceEvent.Kind, url: @autoclosure () -> String? = nil) {
        guard let listener else { return }
        let subject = url().map(URLParts.redacted)
        listener(TraceEvent(time: clock.uptime(), subject: subject, kind: kind))
    }
}
