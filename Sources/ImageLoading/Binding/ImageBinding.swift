public import Decoders

/// Connects one view or reusable cell to at most one load at a time, like SDWebImage's
/// `sd_setImage`.
///
/// A binding is not `Sendable`. It must be used in the domain of its view (a UI thread or the main
/// actor), where all its callbacks run. The engine's threads pass each event to `deliver`, which
/// posts it to the domain; the domain passes it to `accept`. `accept` drops the events of earlier
/// loads. Cancelling an earlier load is not enough, because its result may already have been
/// posted.
///
/// For a view on the main actor, a binding needs neither an identifier nor a closure:
///
/// ```swift
/// let binding = ImageBinding(for: view)
/// binding.setImage(with: "https://example.org/cat.jpg")
/// ```
public final class ImageBinding {
    /// A closure that receives the result and the request of a call to `setImage`.
    ///
    /// The request is nil if the call passed no request.
    public typealias Completion = (Result<ImageResponse, ImageLoadingError>, ImageRequest?) -> Void

    /// The identifier that the caller assigned to the cell; every delivery contains it.
    public let id: Int
    /// The latest request for the cell, set before the load starts.
    ///
    /// Nil after a nil request or an animation request.
    public internal(set) var request: ImageRequest?
    /// Whether a load or a group of loads is running.
    ///
    /// If a completion receives an image while this is true, the image is not the final one.
    public var isLoading: Bool { current != nil || animation != nil }

    /// The type of a function that starts a load: `ImageManager.begin`, or a replacement in tests.
    typealias Starter =
        (ImageRequest, @escaping @Sendable (LoadEvent) -> Void) -> ImageManager.StartResult

    private(set) weak var view: (any ImageDisplaying)?
    let begin: Starter
    private let deliver: @Sendable (ImageDelivery) -> Void
    let operations = OperationTable()
    private(set) var generation: UInt64 = 0
    private var current: BindingLoad?
    /// The running animation load, if any; nil while `current` is set.
    var animation: BindingAnimation?

    /// Creates a binding for `view`, which the binding does not retain.
    ///
    /// `deliver` is called on the engine's threads. It must pass each delivery to `accept` in the
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

    /// Loads `request` into the view and cancels the view's previous load.
    ///
    /// The view shows `placeholder` immediately, and the image when it is loaded. If the image is
    /// in the memory cache, it is shown before the method returns, without the placeholder. If the
    /// load fails, the view shows `failureImage`, or stays unchanged if there is no failure image.
    /// A cancelled load is not a failure. If `request` is nil, the view shows the placeholder and
    /// `completed` receives an error.
    ///
    /// `progress` receives every event except the end. `completed` is called exactly once: with the
    /// result, or with `.cancelled` as soon as another image is requested from the binding or the
    /// binding is cancelled. There are two exceptions. If the view or the binding is deallocated
    /// first, `completed` is not called. With `LoadingOptions.avoidAutoSetImage`, `completed` is
    /// also called for each image before the final one.
    ///
    /// A second call with the same request does not restart a running load. Its `progress` and
    /// `completed` closures are added to those of the earlier calls, and the view keeps its current
    /// content. A `placeholder` or `failureImage` in the second call replaces the earlier one. The
    /// placeholder is used only with `LoadingOptions.delayPlaceholder`.
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

    /// Loads `request` into the view without reporting progress.
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

    /// Cancels the running load or animation, if any.
    ///
    /// Each of its completions receives `.cancelled` before the method returns.
    public func cancel() {
        replaceCurrent(by: nil)
    }

    /// Handles an event that was passed to `deliver`; drops the event if it belongs to an earlier
    /// load.
    public func accept(_ delivery: ImageDelivery) {
        guard delivery.generation == generation, isLoading else { return }
        guard view != nil else { return cancel() }
        if let frame = delivery.frame { return accept(delivery.event, ofFrame: frame) }
        guard let current else { return }
        switch delivery.event {
        case .queued, .waiting, .progress: tellProgress(delivery.event, of: current)
        case .preview(let response): showMeanwhile(response, of: current, delivery.event)
        case .finished(let result): finish(with: result)
        }
    }

    // MARK: One load after the other

    /// Makes `load` the current load and cancels the previous load or animation.
    ///
    /// The completions of the previous load receive `.cancelled`. Returns false if one of them has
    /// replaced or cancelled `load`.
    @discardableResult
    func replaceCurrent(by load: BindingLoad?) -> Bool {
        let (replaced, replacedAnimation) = (current, animation)
        generation += 1
        let mine = generation
        // Update the state first, because a completion may call this method again.
        current = load
        animation = nil
        if let replaced, replaced.request.url == load?.request.url {
            operations.cancelAsReplaced(.image)
        } else {
            operations.cancel(.image)
        }
        if let replaced {
            tell(.failure(.cancelled), of: replaced.request, to: replaced.listeners)
        }
        if let replacedAnimation { tell(.failure(.cancelled), to: replacedAnimation.listeners) }
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

    func makeListener(frame: Int? = nil) -> @Sendable (LoadEvent) -> Void {
        let (id, generation, deliver) = (id, generation, deliver)
        return { event in
            let delivery = ImageDelivery(
                bindingID: id,
                generation: generation,
                event: event,
                frame: frame
            )
            // An animation is not shown until the loads of all its frames have ended.
            if frame == nil || delivery.isFinal { deliver(delivery) }
        }
    }

    private func finish(with result: Result<ImageResponse, ImageLoadingError>) {
        guard let ended = current else { return }
        // Update the state first, because a completion may request the next image from this
        // binding.
        current = nil
        operations.remove(.image)
        show(result, of: ended)
        tell(result, of: ended.request, to: ended.listeners)
    }

    // MARK: Showing

    /// Shows the first content of a load: a cached image or the placeholder.
    ///
    /// `known` is a cached image that is being refreshed. It is shown instead of the placeholder,
    /// unless the completions set the image. With the `delayPlaceholder` option, the placeholder is
    /// not shown.
    private func showAtFirst(_ known: ImageResponse?) {
        guard let current else { return }
        if let known, !current.isSetByHand {
            view?.display(known.image)
        } else if !current.request.options.contains(.delayPlaceholder) {
            view?.display(current.placeholder)
        }
    }

    /// Shows an image that precedes the final one: a preview, or a cached image that is being
    /// refreshed.
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
        // A completion may have requested another image from this binding.
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

    // MARK: Notifying

    private func tellProgress(_ event: LoadEvent, of load: BindingLoad) {
        let mine = generation
        for listener in load.listeners where generation == mine { listener.progress?(event) }
    }

    /// Calls `listeners` with `result`, unless the view was deallocated.
    private func tell(
        _ result: Result<ImageResponse, ImageLoadingError>,
        of request: ImageRequest?,
        to listeners: [BindingLoad.Listener]
    ) {
        for listener in listeners where view != nil { listener.completed?(result, request) }
    }
}

extension ImageLoadingError {
    static let withoutURL = ImageLoadingError(
        stage: .request,
        kind: .permanent,
        reason: .invalidURL("none given")
    )
}
