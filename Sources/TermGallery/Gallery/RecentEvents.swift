import ImageLoading
import SystemSupport

/// The newest image load events, shown in the gallery's trace.
///
/// The number of events is limited. Events are recorded even while the trace is hidden, so the
/// trace shows what happened before it was opened.
final class RecentEvents: Sendable {
    /// The maximum number of events, which is greater than the number of rows on any screen.
    static let capacity = 256

    private struct Ring {
        var events: [TraceEvent] = []
        /// The index at which the next event is stored once the ring is full.
        var next = 0
        var start: Duration?
    }

    private let ring = Protected(Ring())

    /// Records an event.
    ///
    /// This method may be called on any thread.
    func record(_ event: TraceEvent) {
        // Progress events are skipped because there are several per image and they add nothing to
        // its final event.
        if case .progress = event.kind { return }
        ring.withLock { ring in
            if ring.start == nil { ring.start = event.time }
            if ring.events.count < Self.capacity {
                ring.events.append(event)
            } else {
                ring.events[ring.next] = event
                ring.next = (ring.next + 1) % Self.capacity
            }
        }
    }

    /// Returns the newest `count` events, and the time of the first recorded event.
    ///
    /// The newest event is last.
    func latest(_ count: Int) -> (events: [TraceEvent], start: Duration) {
        ring.withLock { ring in
            let all = ring.events[ring.next...] + ring.events[..<ring.next]
            return (Array(all.suffix(count)), ring.start ?? .zero)
        }
    }
}
