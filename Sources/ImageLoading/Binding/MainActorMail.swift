internal import SystemSupport

extension ImageBinding {
    /// Creates a binding for a view of the main actor, which the binding does not retain.
    ///
    /// All events are delivered on the main actor, in order. Keep the binding as long as its view:
    /// when the binding is deallocated, its load is cancelled.
    @MainActor
    public convenience init(for view: any ImageDisplaying, manager: ImageManager = .shared) {
        let mail = MainActorMail()
        self.init(id: 0, view: view, manager: manager) { mail.post($0) }
        mail.binding = self
    }
}

/// A queue of the events that the engine's threads have posted for a binding of the main actor.
///
/// A list, instead of a task for each event, keeps the events in order, and wakes the main actor
/// only once for all events that are posted before it runs.
@MainActor
private final class MainActorMail {
    weak var binding: ImageBinding?
    private nonisolated let waiting = Protected<[ImageDelivery]>([])

    nonisolated func post(_ delivery: ImageDelivery) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(delivery)
            return waiting.count == 1
        }
        guard isFirst else { return }
        Task { @MainActor in self.deliver() }
    }

    private func deliver() {
        let deliveries = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for delivery in deliveries { binding?.accept(delivery) }
    }
}
