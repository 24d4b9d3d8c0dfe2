internal import Decoders
internal import Feeds
internal import ImageLoading

/// The load of an image that is on the screen: its state, and the properties of the image.
///
/// During a refresh, the previous image stays on the screen until the next image arrives.
struct ShownLoad: Equatable, Sendable {
    private(set) var state = LoadState.asked
    private(set) var facts = FileFacts()
    /// The durations of the stages of the load, or nil if the image was in memory.
    private(set) var times: LoadTimes?
    /// Whether the server did not confirm the image although revalidation was required.
    private(set) var isStale = false
    /// The source of the image that stays on the screen during a refresh.
    private(set) var known: ImageSource?
    /// Whether the current image remains if the refresh fails.
    private var keepsOnFailure = false

    /// A change to the image on the screen.
    enum Change: Equatable {
        case none
        /// A part of the image has arrived.
        case preview(DecodedImage)
        /// The complete image has arrived.
        case image(DecodedImage)
        /// The image is removed; if `mayContinue` is true, the rest of a received part may arrive
        /// later.
        case removal(mayContinue: Bool)
    }

    /// Creates the state of a load that does not belong to an item.
    init() {}

    /// Creates the load of an item, with known properties of its file.
    init(of item: FeedItem, facts: FileFacts = FileFacts()) {
        self.facts = facts
        if item.problem != nil { state = .failed(LoadFailure(of: item)) }
    }

    /// Handles an event from the load.
    ///
    /// `hasImage` is true if an image is on the screen that a refresh may keep. `takesFacts` is
    /// false if the load is for another version of the image.
    mutating func apply(
        _ event: LoadEvent,
        hasImage: Bool,
        takesFacts: Bool = true
    ) -> Change {
        if takesFacts { facts.take(event) }
        switch event {
        case .queued: state.wait(for: nil)
        case .waiting(let error): state.wait(for: error)
        case .progress(let progress): if state.isPending { state = .loading(progress) }
        case .preview(let response): if state.isPending { return .preview(response.image) }
        case .finished(.success(let response)):
            state = .loaded(response.source)
            isStale = response.isStale
            times = response.times
            return .image(response.image)
        case .finished(.failure(let error)) where error.kind == .cancelled:
            return cancel(hasImage: hasImage)
        case .finished(.failure(let error)):
            if keepsOnFailure, hasImage, let known {
                state = .loaded(known)
                isStale = true
                return .none
            }
            state = .failed(LoadFailure(error))
            return .removal(mayContinue: error.isRetryable)
        }
        return .none
    }

    /// Forgets the properties of the file, except the size in pixels, because the file has changed.
    ///
    /// The length of a file that was still being written is the length of its first part.
    mutating func expectNewContent() { facts = FileFacts(size: facts.size) }

    /// Restarts the load; with `keepsOnFailure`, the current image remains even if the load fails.
    mutating func restart(keepsOnFailure: Bool) {
        self.keepsOnFailure = keepsOnFailure
        if case .loaded(let source) = state { known = source }
        state = .asked
    }

    /// Ends a running load; an image that was being refreshed remains.
    mutating func cancel(hasImage: Bool) -> Change {
        guard state.isPending else { return .none }
        guard hasImage, let known else {
            state = .failed(.cancelled)
            return .removal(mayContinue: false)
        }
        state = .loaded(known)
        return .none
    }

    /// Ends the load because the item cannot be loaded anymore.
    mutating func end(_ failure: LoadFailure) { state = .failed(failure) }
}
