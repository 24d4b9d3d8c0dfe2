import SystemSupport

/// The events of a load as an asynchronous sequence: progress, previews, and finally `finished`.
///
///     for await event in manager.events(for: "https://example.org/cat.jpg") {
///         switch event {
///         case .queued, .waiting: break
///         case .progress(let progress): show(progress)
///         case .preview(let response): show(response.image)
///         case .finished(let result): show(result)
///         }
///     }
///
/// If a loop handles only images or only progress, use `ImageManager.previews(for:)` or
/// `ImageManager.progress(for:)` instead.
///
/// Each loop starts its own load. If the loop ends early, the load is cancelled. If the task is
/// cancelled, the load is cancelled too; the loop then receives `finished(.failure(.cancelled))`
/// and ends. A loop that is slower than the transfer misses intermediate progress events, but never
/// the latest one.
public struct LoadEvents: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = LoadEvent
    /// The error type; the sequence never throws, because a failed load is reported as an event.
    public typealias Failure = Never

    let manager: ImageManager
    let request: ImageRequest

    /// Starts a load and returns the iterator that owns the load.
    public func makeAsyncIterator() -> Iterator {
        Iterator(manager: manager, request: request)
    }

    /// The iterator for one loop; it owns the load.
    public struct Iterator: AsyncIteratorProtocol {
        private let load: Load

        init(manager: ImageManager, request: ImageRequest) {
            load = Load(manager: manager, request: request)
        }

        /// Returns the next event, or nil after the end.
        public mutating func next() async -> LoadEvent? {
            await load.next()
        }

        /// Returns the next event without leaving the caller's actor, or nil after the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> LoadEvent? {
            await load.next(isolation: actor)
        }
    }

    /// The load and the events that the loop has not received yet.
    ///
    /// When the loop ends, this object is released, which cancels the load if it is still running.
    private final class Load: Sendable {
        private struct State {
            var waiting = WaitingEvents()
            var end: LoadEvent?
            var loop: HandOver<LoadEvent?>?

            /// Whether the loop has received the `finished` event.
            var isOver = false

            /// Returns the next event, or `.some(nil)` after the last event.
            ///
            /// Returns `.none` if the loop must wait.
            mutating func next() -> LoadEvent?? {
                if let event = waiting.popFirst() { return .some(event) }
                guard !isOver else { return .some(nil) }
                guard let end else { return .none }
                isOver = true
                return .some(end)
            }
        }

        private let state: Protected<State>
        private let operation: LoadOperation

        init(manager: ImageManager, request: ImageRequest) {
            let state = Protected(State())
            self.state = state
            operation = manager.load(request) { Self.take($0, state) }
        }

        deinit {
            operation.cancel()
        }

        private static func take(_ event: LoadEvent, _ state: Protected<State>) {
            let loop = state.withLock { state -> HandOver<LoadEvent?>? in
                if case .finished = event {
                    state.end = event
                } else {
                    _ = state.waiting.add(event, isReplay: false)
                }
                return state.loop.take()
            }
            guard let loop, let next = state.withLock({ $0.next() }) else { return }
            loop.resume(returning: next)
        }

        func next(isolation actor: isolated (any Actor)? = #isolation) async -> LoadEvent? {
            await withTaskCancellationHandler {
                await withHandOver(isolation: actor) { loop in
                    let event = state.withLock { state -> LoadEvent?? in
                        if let event = state.next() { return event }
                        state.loop = loop
                        return nil
                    }
                    if let event { loop.resume(returning: event) }
                }
            } onCancel: {
                operation.cancel()
            }
        }
    }
}
