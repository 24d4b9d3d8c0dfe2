/// Where the engine's parts report what they do; does nothing unless someone listens.
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
        let subject = url().map(LoadLog.publicPart)
        listener(TraceEvent(time: clock.uptime(), subject: subject, kind: kind))
    }
}
