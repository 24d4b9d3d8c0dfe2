internal import Decoders
internal import Feeds
internal import ImageLoading

/// The state of an image's load, and the properties of the image on the screen.
///
/// During a refresh, the previous image stays on the screen until the next image arrives.
struct ShownLoad: Equatable, Sendable {
    private(set) var state = LoadState.asked
    private(set) var facts = FileFacts()
    /// The durations of the steps of the load, or nil if the image was in memory.
    private(set) var times: LoadTimes?
    /// Whether the image is stale: it had to be revalidated, but the server did not confirm it.
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
        /// The image is removed.
        ///
        /// If `mayContinue` is true, only a part was received, and the rest may arrive later.
        case removal(mayContinue: Bool)
    }

    /// Creates the initial state of a load, without known properties.
    init() {}

    /// Creates the state of an item's load, with known properties of its file.
    init(of item: FeedItem, facts: FileFacts = FileFacts()) {
        self.facts = facts
        if item.problem != nil { state = .failed(LoadFailure(of: item)) }
    }

    /// Whether the load has ended and the file was damaged or could not be loaded.
    ///
    /// Cancelled loads and unsupported formats don't count.
    var isDamagedOrMissing: Bool {
        switch state {
        case .asked, .queued, .waiting, .loading: false
        case .loaded: facts.damage != nil
        case .failed(let failure): failure.kind == .failed
        }
    }

    /// Handles an event from the load, and returns the change to the image on the screen.
    ///
    /// `hasImage` is true if the screen shows an image that stays there while it is refreshed.
    /// `takesFacts` is false if the load fetches the image in another size.
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

    /// Discards all properties of the file except the size in pixels, because the file has changed.
    ///
    /// The known length may be outdated, because the file may have been incomplete when it was
    /// read.
    mutating func expectNewContent() { facts = FileFacts(size: facts.size) }

    /// Restarts the load.
    ///
    /// If `keepsOnFailure` is true, the current image remains even if the load fails.
    mutating func restart(keepsOnFailure: Bool) {
        self.keepsOnFailure = keepsOnFailure
        if case .loaded(let source) = state { known = source }
        state = .asked
    }

    /// Cancels a running load.
    ///
    /// If the image was being refreshed, it remains.
    mutating func cancel(hasImage: Bool) -> Change {
        guard state.isPending else { return .none }
        guard hasImage, let known else {
            state = .failed(.cancelled)
            return .removal(mayContinue: false)
        }
        state = .loaded(known)
        return .none
    }

    /// Ends the load of a folder's cover.
    mutating func end(from source: ImageSource) { state = .loaded(source) }

    /// Ends the load because the item can no longer be loaded.
    mutating func end(_ failure: LoadFailure) { state = .failed(failure) }
}
