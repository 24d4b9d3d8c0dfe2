internal import SystemSupport

extension ImageBinding {
    /// Creates a binding for a main-actor view, which the binding does not retain.
    ///
    /// All events are delivered on the main actor, in order. Keep the binding alive as long as its
    /// view. Deallocating the binding cancels its load.
    @MainActor
    public convenience init(for view: any ImageDisplaying, manager: ImageManager = .shared) {
        let mail = MainActorMail()
        self.init(id: 0, view: view, manager: manager) { mail.post($0) }
        mail.binding = self
    }
}

/// The queue of events posted by the engine's threads for a main-actor binding.
///
/// One task delivers all events that were posted before it runs. With a task for each event, the
/// main actor would wake up more often and could receive the events out of order.
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
