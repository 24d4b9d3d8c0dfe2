import ImageLoading

/// The newest events of the engine, for the trace of the gallery.
///
/// Bounded, and kept while the trace is hidden too, so that it shows what led here.
final class RecentEvents: Sendable {
    /// More than the rows of any screen.
    static let capacity = 256

    private struct Ring {
        var events: [TraceEvent] = []
        /// Where the next one goes once the ring is full.
        var next = 0
        var start: Duration?
    }

    private let ring = Protected(Ring())

    /// Takes an event; callable on any thread.
    func record(_ event: TraceEvent) {
        // Several a picture, and they say nothing that its end does not.
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

    /// The newest `count`, the newest last, and the time of the first that there ever was.
    func latest(_ count: Int) -> (events: [TraceEvent], start: Duration) {
        ring.withLock { ring in
            let all = ring.events[ring.next...] + ring.events[..<ring.next]
            return (Array(all.suffix(count)), ring.start ?? .zero)
        }
    }
}
