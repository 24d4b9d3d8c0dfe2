public import Decoders

/// Ties one view, or one reusable cell, to at most one load: SDWebImage's `sd_setImage`.
///
/// Not `Sendable`: it lives in its view's domain, a UI thread or the main actor, and everything it
/// calls is called there. News from the engine's threads is handed to `deliver`, which posts it to
/// that domain; the domain hands it back to `accept`, where the generation decides whether it is
/// still about what the cell shows (rows V1-V17, T1; cancelling alone can't: a result may be in
/// the post already).
///
/// On the main actor:
///
/// ```swift
/// let post: @MainActor @Sendable (ImageDelivery) -> Void = { binding?.accept($0) }
/// binding = ImageBinding(id: 1, view: view, manager: manager) { news in
///     Task { @MainActor in post(news) }
/// }
/// ```
public final class ImageBinding {
    /// What the completion gets: the result, and the request it answers (row V16).
    public typealias Completion = (Result<ImageResponse, ImageLoadingError>, ImageRequest?) -> Void

    /// The caller's name for the cell.
    public let id: Int
    /// What the cell was last asked to show; set before the load starts, nil after a nil request
    /// (row V3).
    public private(set) var request: ImageRequest?
    /// Whether a load is under way: what a completion gets while it is true is not the last word.
    public var isLoading: Bool { current != nil }

    private struct Current {
        let request: ImageRequest
        let placeholder: DecodedImage?
        let progress: ((LoadEvent) -> Void)?
        let completed: Completion?

        /// Rows V10, V11: without a completion nobody else would set it.
        var isSetByHand: Bool {
            request.options.contains(.avoidAutoSetImage) && completed != nil
        }
    }

    private weak var view: (any ImageDisplaying)?
    /// `ImageManager.begin`, or a test's stand-in for it.
    typealias Starter =
        (ImageRequest, @escaping @Sendable (LoadEvent) -> Void) -> ImageManager.StartResult

    private let begin: Starter
    private let deliver: @Sendable (ImageDelivery) -> Void
    private let operations = OperationTable()
    private var generation: UInt64 = 0
    private var current: Current?

    /// Makes a binding for `view`, which it doesn't keep alive (row V8).
    ///
    /// `deliver` is called on threads of the engine and must get the news to `accept` in the view's
    /// domain, in order.
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

    /// Loads `request` into the view and cancels what the view loaded before (row V2).
    ///
    /// A memory hit is shown before this returns, without the placeholder (F28). Asking for what is
    /// being loaded already changes nothing (row V17). `progress` hears every event but the end.
    /// `completed` is called once, unless the binding is reused, cancelled or its view goes first;
    /// with `avoidAutoSetImage` also for each picture before the last one (row V10).
    public func setImage(
        with request: ImageRequest?,
        placeholder: DecodedImage?,
        progress: ((LoadEvent) -> Void)?,
        completed: Completion?
    ) {
        if let request, isLoading, request == self.request { return }
        cancel()
        self.request = request
        guard let request else { return finishWithoutURL(placeholder, completed) }

        current = Current(
            request: request,
            placeholder: placeholder,
            progress: progress,
            completed: completed
        )
        switch begin(request, postman()) {
        case .answered(let result): finish(with: result)
        case .running(let operation, let known):
            operations.set(operation, for: .image)
            showAtFirst(known)
        }
    }

    /// As the full form, without progress (row V1).
    public func setImage(
        with request: ImageRequest?,
        placeholder: DecodedImage? = nil,
        completed: Completion? = nil
    ) {
        setImage(with: request, placeholder: placeholder, progress: nil, completed: completed)
    }

    /// Cancels the load under way, if any; its completion is not called.
    public func cancel() {
        generation += 1
        current = nil
        operations.cancel(.image)
    }

    /// Takes news that `deliver` brought here; news of an earlier generation is dropped.
    public func accept(_ delivery: ImageDelivery) {
        guard delivery.generation == generation, let current else { return }
        guard view != nil else { return cancel() }
        switch delivery.event {
        case .queued, .progress: current.progress?(delivery.event)
        case .image(let response): showMeanwhile(response, of: current, delivery.event)
        case .finished(let result): finish(with: result)
        }
    }

    /// A picture that is about to be refreshed stands in for the placeholder (rows V4, M15, V19).
    private func showAtFirst(_ known: ImageResponse?) {
        guard let current else { return }
        if let known, !current.isSetByHand {
            view?.display(known.image)
        } else if !current.request.options.contains(.delayPlaceholder) {
            view?.display(current.placeholder)
        }
    }

    private func postman() -> @Sendable (LoadEvent) -> Void {
        let (id, generation, deliver) = (id, generation, deliver)
        return { event in
            deliver(ImageDelivery(bindingID: id, generation: generation, event: event))
        }
    }

    private func finish(with result: Result<ImageResponse, ImageLoadingError>) {
        guard let ended = current else { return }
        // State first: the completion may ask this binding for the next picture.
        current = nil
        operations.remove(.image)
        show(result, of: ended)
        ended.completed?(result, ended.request)
    }

    /// A picture that is not the last word (rows V10, V12, V13).
    private func showMeanwhile(_ response: ImageResponse, of load: Current, _ event: LoadEvent) {
        if load.isSetByHand {
            load.completed?(.success(response), load.request)
        } else {
            view?.display(response.image)
        }
        // Whoever was called may have asked this binding for another picture.
        if current?.request == load.request { load.progress?(event) }
    }

    private func show(_ result: Result<ImageResponse, ImageLoadingError>, of ended: Current) {
        let options = ended.request.options
        switch result {
        case .success(let response):
            if !ended.isSetByHand { view?.display(response.image) }
        case .failure:
            // Row V15: otherwise the view stays as it is.
            if options.contains(.delayPlaceholder) { view?.display(ended.placeholder) }
        }
    }

    /// Row V6.
    private func finishWithoutURL(_ placeholder: DecodedImage?, _ completed: Completion?) {
        view?.display(placeholder)
        let error = ImageLoadingError(
            stage: .request,
            kind: .permanent,
            reason: .invalidURL("none given")
        )
        completed?(.failure(error), nil)
    }
}
