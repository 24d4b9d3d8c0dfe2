public import Decoders

/// The running load of an `ImageBinding` and all calls to `setImage` that requested it.
struct BindingLoad {
    /// The callbacks of one call to `setImage`.
    struct Listener {
        let progress: ((LoadEvent) -> Void)?
        let completed: ImageBinding.Completion?
    }

    let request: ImageRequest
    private(set) var placeholder: DecodedImage?
    private(set) var failureImage: DecodedImage?
    private(set) var listeners: [Listener]

    init(
        _ request: ImageRequest,
        placeholder: DecodedImage?,
        failureImage: DecodedImage?,
        _ listener: Listener
    ) {
        self.request = request
        self.placeholder = placeholder
        self.failureImage = failureImage
        listeners = [listener]
    }

    /// Adds the callbacks of another call for the same request.
    ///
    /// A placeholder or failure image in the call replaces the earlier one.
    mutating func join(
        placeholder: DecodedImage?,
        failureImage: DecodedImage?,
        _ listener: Listener
    ) {
        self.placeholder = placeholder ?? self.placeholder
        self.failureImage = failureImage ?? self.failureImage
        listeners.append(listener)
    }

    /// Whether the completions, not the binding, set the view's image.
    ///
    /// True if the request has the `avoidAutoSetImage` option and at least one call has a
    /// completion. Without a completion, only the binding can set the image.
    var isSetByHand: Bool {
        request.options.contains(.avoidAutoSetImage)
            && listeners.contains { $0.completed != nil }
    }

    /// Returns the image that the view shows after `error`.
    ///
    /// If the outer optional is nil, the view stays unchanged. If the inner optional is nil, the
    /// view is cleared.
    func image(after error: ImageLoadingError) -> DecodedImage?? {
        if error.kind != .cancelled, let failureImage { return .some(failureImage) }
        return request.options.contains(.delayPlaceholder) ? .some(placeholder) : .none
    }
}

/// A view that shows the image of an `ImageBinding`.
///
/// `display` is called only in the binding's domain: on its UI thread or the main actor.
public protocol ImageDisplaying: AnyObject {
    /// Shows `image`; nil clears the view.
    func display(_ image: DecodedImage?)
}

/// An event of a load for one binding.
///
/// An engine thread creates the delivery, and the binding handles it on its UI thread or the main
/// actor.
public struct ImageDelivery: Sendable {
    /// The identifier of the binding that receives the event (`ImageBinding.id`).
    public let bindingID: Int
    /// The binding's generation when the load began.
    ///
    /// Each new load and each cancellation increases the binding's generation.
    public let generation: UInt64
    let event: LoadEvent
    /// The index of the animation frame that the load provides; nil if the load is not part of an
    /// animation.
    var frame: Int?

    /// Whether the event reports progress.
    ///
    /// If a later delivery also reports progress, this delivery can be dropped.
    public var isProgress: Bool {
        switch event {
        case .progress: true
        case .queued, .waiting, .preview, .finished: false
        }
    }

    /// Whether this is the last event of the load.
    public var isFinal: Bool {
        switch event {
        case .finished: true
        case .queued, .waiting, .progress, .preview: false
        }
    }
}
