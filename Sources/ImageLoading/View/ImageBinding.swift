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
    /// Whether a load is under way.
    public var isLoading: Bool { current != nil }

    private struct Current {
        let request: ImageRequest
        let placeholder: DecodedImage?
        let progress: ((LoadEvent) -> Void)?
        let completed: Completion?
    }

    private weak var view: (any ImageDisplaying)?
    private let manager: ImageManager
    private let deliver: @Sendable (ImageDelivery) -> Void
    private let operations = OperationTable()
    private var generation: UInt64 = 0
    private var current: Current?

    /// Makes a binding for `view`, which it doesn't keep alive (row V8).
    ///
    /// `deliver` is called on threads of the engine and must get the news to `accept` in the view's
    /// domain, in order.
    public init(
        id: Int,
        view: any ImageDisplaying,
        manager: ImageManager,
        deliver: @escaping @Sendable (ImageDelivery) -> Void
    ) {
        self.id = id
        self.view = view
        self.manager = manager
        self.deliver = deliver
    }

    /// Loads `request` into the view and cancels what the view loaded before (row V2).
    ///
    /// A memory hit is shown before this returns, without the placeholder (F28). Asking for what is
    /// being loaded already changes nothing (row V17). `progress` hears `queued` and `progress`;
    /// `completed` is called once, unless the binding is reused, cancelled or its view goes first.
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
        switch manager.begin(request, onEvent: postman()) {
        case .answered(let result): finish(with: result)
        case .running(let operation):
            operations.set(operation, for: .image)
            if !request.options.contains(.delayPlaceholder) { view?.display(placeholder) }
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
        case .finished(let result): finish(with: result)
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

    private func show(_ result: Result<ImageResponse, ImageLoadingError>, of ended: Current) {
        let options = ended.request.options
        switch result {
        case .success(let response):
            // Rows V10, V11: without a completion nobody else would set it.
            guard !options.contains(.avoidAutoSetImage) || ended.completed == nil else { return }
            view?.display(response.image)
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
