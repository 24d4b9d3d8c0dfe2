public import Decoders

/// Ties one view, or one reusable cell, to at most one load: SDWebImage's `sd_setImage`.
///
/// Not `Sendable`: it lives in its view's domain, a UI thread or the main actor, and everything it
/// calls is called there. An event from the engine's threads is handed to `deliver`, which posts it
/// to that domain; the domain hands it to `accept`, where the generation decides whether it is
/// still about what the cell shows. Cancelling alone can't decide that: a result may be in the post
/// already.
///
/// On the main actor:
///
/// ```swift
/// binding = ImageBinding(id: 0, view: view, manager: manager) { [weak self] delivery in
///     Task { @MainActor in self?.binding?.accept(delivery) }
/// }
/// ```
public final class ImageBinding {
    /// What the completion gets: the result, and the request of its own call; nil if that was nil.
    public typealias Completion = (Result<ImageResponse, ImageLoadingError>, ImageRequest?) -> Void

    /// The caller's name for the cell, which its deliveries carry.
    public let id: Int
    /// What the cell was last asked to show, from before the load starts; nil after a nil request.
    public private(set) var request: ImageRequest?
    /// Whether a load is under way: a picture that a completion gets while it is true is not yet
    /// the final one.
    public var isLoading: Bool { current != nil }

    /// `ImageManager.begin`, or a test's stand-in for it.
    typealias Starter =
        (ImageRequest, @escaping @Sendable (LoadEvent) -> Void) -> ImageManager.StartResult

    private weak var view: (any ImageDisplaying)?
    private let begin: Starter
    private let deliver: @Sendable (ImageDelivery) -> Void
    private let operations = OperationTable()
    private var generation: UInt64 = 0
    private var current: BindingLoad?

    /// Makes a binding for `view`, which it doesn't keep alive.
    ///
    /// `deliver` is called on threads of the engine and must get each delivery to `accept` in the
    /// view's domain, in order.
    public convenience init(
        id: Int,
        view: any ImageDisplaying,
        manager: ImageManager,
        deliver: @escaping @Sendable (ImageDelivery) -> Void
    ) {
        self.init(
            id: id,
            view: view,
            begin: { manager.begin($0, onEvent: $1) },
            deliver: deliver
        )
    }

    init(
        id: Int,
        view: any ImageDisplaying,
        begin: @escaping Starter,
        deliver: @escaping @Sendable (ImageDelivery) -> Void
    ) {
        self.id = id
        self.view = view
        self.begin = begin
        self.deliver = deliver
    }

    /// Loads `request` into the view, and cancels what the view loaded before.
    ///
    /// The view shows `placeholder` at once and the picture when it is there; a memory hit is shown
    /// before this returns, without the placeholder. If the load fails, the view shows
    /// `failureImage`, or without one stays as it is; a cancelled load is no failure. A nil request
    /// shows the placeholder and completes with an error.
    ///
    /// `progress` hears every event but the end. `completed` is called exactly once: with the
    /// result, or with `.cancelled` as soon as the binding is asked for another picture or
    /// cancelled. It is not called if the view or the binding goes first. With
    /// `LoadingOptions.avoidAutoSetImage` it is also called for each picture before the final one.
    ///
    /// Asking again for the request that is being loaded doesn't start it again: the call's
    /// `progress` and `completed` are added to those of the calls before, the view goes on showing
    /// what it shows, and the call's `failureImage` and delayed placeholder, if it has any, count
    /// instead of the earlier ones.
    public func setImage(
        with request: ImageRequest?,
        placeholder: DecodedImage? = nil,
        failureImage: DecodedImage? = nil,
        progress: ((LoadEvent) -> Void)?,
        completed: Completion?
    ) {
        let listener = BindingLoad.Listener(progress: progress, completed: completed)
        if let request, request == current?.request {
            current?.join(placeholder: placeholder, failureImage: failureImage, listener)
            return
        }
        let load = request.map {
            BindingLoad($0, placeholder: placeholder, failureImage: failureImage, listener)
        }
        self.request = request
        let isStillWanted = replaceCurrent(by: load)
        if let load {
            if isStillWanted { start(load) }
        } else {
            if isStillWanted { view?.display(placeholder) }
            tell(.failure(isStillWanted ? .withoutURL : .cancelled), of: nil, to: [listener])
        }
    }

    /// As the full form, without progress.
    public func setImage(
        with request: ImageRequest?,
        placeholder: DecodedImage? = nil,
        failureImage: DecodedImage? = nil,
        completed: Completion? = nil
    ) {
        setImage(
            with: request,
            placeholder: placeholder,
            failureImage: failureImage,
            progress: nil,
            completed: completed
        )
    }

    /// Cancels the load under way, if any; each of its completions gets `.cancelled` before this
    /// returns.
    public func cancel() {
        replaceCurrent(by: nil)
    }

    /// Takes an event that `deliver` brought here; one of an earlier load is dropped.
    public func accept(_ delivery: ImageDelivery) {
        guard delivery.generation == generation, let current else { return }
        guard view != nil else { return cancel() }
        switch delivery.event {
        case .queued, .waiting, .progress: tellProgress(delivery.event, of: current)
        case .image(let response): showMeanwhile(response, of: current, delivery.event)
        case .finished(let result): finish(with: result)
        }
    }

    // MARK: One load after the other

    /// Ends the load under way, and then tells the calls that asked for it; false if one of their
    /// completions has asked this binding for something else.
    @discardableResult
    private func replaceCurrent(by load: BindingLoad?) -> Bool {
        let replaced = current
        generation += 1
        let mine = generation
        // State first: a completion may come back here.
        current = load
        if let replaced, replaced.request.url == load?.request.url {
            operations.cancelAsReplaced(.image)
        } else {
            operations.cancel(.image)
        }
        if let replaced {
            tell(.failure(.cancelled), of: replaced.request, to: replaced.listeners)
        }
        return generation == mine
    }

    private func start(_ load: BindingLoad) {
        switch begin(load.request, makeListener()) {
        case .answered(let result): finish(with: result)
        case .running(let operation, let known):
            operations.set(operation, for: .image)
            showAtFirst(known)
        }
    }

    private func makeListener() -> @Sendable (LoadEvent) -> Void {
        let (id, generation, deliver) = (id, generation, deliver)
        return { event in
            deliver(ImageDelivery(bindingID: id, generation: generation, event: event))
        }
    }

    private func finish(with result: Result<ImageResponse, ImageLoadingError>) {
        guard let ended = current else { return }
        // State first: a completion may ask this binding for the next picture.
        current = nil
        operations.remove(.image)
        show(result, of: ended)
        tell(result, of: ended.request, to: ended.listeners)
    }

    // MARK: Showing

    /// A picture that is about to be refreshed stands in for the placeholder.
    private func showAtFirst(_ known: ImageResponse?) {
        guard let current else { return }
        if let known, !current.isSetByHand {
            view?.display(known.image)
        } else if !current.request.options.contains(.delayPlaceholder) {
            view?.display(current.placeholder)
        }
    }

    /// Shows a picture before the final one: a preview, or one that is being refreshed.
    private func showMeanwhile(_ response: ImageResponse, of load: BindingLoad, _ event: LoadEvent)
    {
        let mine = generation
        if load.isSetByHand {
            for listener in load.listeners where generation == mine {
                listener.completed?(.success(response), load.request)
            }
        } else {
            view?.display(response.image)
        }
        // A completion may have asked this binding for another picture.
        if generation == mine { tellProgress(event, of: load) }
    }

    private func show(_ result: Result<ImageResponse, ImageLoadingError>, of ended: BindingLoad) {
        switch result {
        case .success(let response):
            if !ended.isSetByHand { view?.display(response.image) }
        case .failure(let error):
            if let image = ended.image(after: error) { view?.display(image) }
        }
    }

    // MARK: Telling

    private func tellProgress(_ event: LoadEvent, of load: BindingLoad) {
        let mine = generation
        for listener in load.listeners where generation == mine { listener.progress?(event) }
    }

    /// With the view gone nothing is called.
    private func tell(
        _ result: Result<ImageResponse, ImageLoadingError>,
        of request: ImageRequest?,
        to listeners: [BindingLoad.Listener]
    ) {
        for listener in listeners where view != nil { listener.completed?(result, request) }
    }
}

extension ImageLoadingError {
    fileprivate static let withoutURL = ImageLoadingError(
        stage: .request,
        kind: .permanent,
        reason: .invalidURL("none given")
    )
}
