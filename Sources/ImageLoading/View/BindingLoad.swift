public import Decoders

/// The load that an `ImageBinding` has under way, and every call of `setImage` that asked for it.
struct BindingLoad {
    /// One call of `setImage`: what it wants to hear.
    struct Listener {
        let progress: ((LoadEvent) -> Void)?
        let completed: ImageBinding.Completion?
    }

    let request: ImageRequest
    private(set) var placeholder: DecodedImage?
    private(set) var failureImage: DecodedImage?
    /// In the order of the calls.
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

    /// Adds a call for the same request; the images it brings count from now on.
    mutating func join(
        placeholder: DecodedImage?,
        failureImage: DecodedImage?,
        _ listener: Listener
    ) {
        self.placeholder = placeholder ?? self.placeholder
        self.failureImage = failureImage ?? self.failureImage
        listeners.append(listener)
    }

    /// Whether the completions set the image, and not the binding: without a completion nobody
    /// else would.
    var isSetByHand: Bool {
        request.options.contains(.avoidAutoSetImage)
            && listeners.contains { $0.completed != nil }
    }

    /// What the view shows after `error`; nil leaves it as it is.
    func image(after error: ImageLoadingError) -> DecodedImage?? {
        if error.kind != .cancelled, let failureImage { return .some(failureImage) }
        return request.options.contains(.delayPlaceholder) ? .some(placeholder) : .none
    }
}

/// What shows the picture of an `ImageBinding`; called in the binding's domain only.
public protocol ImageDisplaying: AnyObject {
    /// Shows `image`; nil clears the view.
    func display(_ image: DecodedImage?)
}

/// An event for one binding, on its way from a thread of the engine to the binding's own domain.
public struct ImageDelivery: Sendable {
    /// Which binding it is for (`ImageBinding.id`).
    public let bindingID: Int
    /// The binding's generation when the load began; a reused binding has a later one.
    public let generation: UInt64
    let event: LoadEvent

    /// Whether it says how far the load is; a later delivery of the kind replaces it.
    public var isProgress: Bool {
        switch event {
        case .progress: true
        case .queued, .waiting, .image, .finished: false
        }
    }

    /// Whether it is the end of the load.
    public var isFinal: Bool {
        switch event {
        case .finished: true
        case .queued, .waiting, .progress, .image: false
        }
    }
}
