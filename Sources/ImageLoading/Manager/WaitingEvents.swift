/// Intermediate events that a listener has not heard yet, the newest of each kind: a listener that
/// is slow makes nobody wait, and no memory grow.
///
/// Pure.
struct WaitingEvents {
    private enum Kind {
        case transfer
        case image
    }

    private var events: [(kind: Kind, event: LoadEvent)] = []
    private var added: Set<Kind> = []

    /// Adds an event; false if it is the end, or a replay of what was told before.
    mutating func add(_ event: LoadEvent, isReplay: Bool) -> Bool {
        guard let kind = Self.kind(of: event), !isReplay || !added.contains(kind) else {
            return false
        }
        added.insert(kind)
        events.removeAll { $0.kind == kind }
        events.append((kind, event))
        return true
    }

    mutating func popFirst() -> LoadEvent? {
        events.isEmpty ? nil : events.removeFirst().event
    }

    private static func kind(of event: LoadEvent) -> Kind? {
        switch event {
        case .queued, .progress: .transfer
        case .image: .image
        case .finished: nil
        }
    }
}
