public import Decoders

/// The frames of an animation that a binding loads as one group.
///
/// This type has no side effects.
struct BindingAnimation {
    let requests: [ImageRequest]
    let frameDuration: Duration
    /// The completions of all calls that requested these frames, in the order of the calls.
    private(set) var listeners: [ImageBinding.AnimationCompletion]
    /// The result of each request, or nil while the request is running.
    private var results: [Result<ImageResponse, ImageLoadingError>?]
    private var pendingCount: Int

    init(
        _ requests: [ImageRequest],
        frameDuration: Duration,
        _ listener: ImageBinding.AnimationCompletion?
    ) {
        self.requests = requests
        self.frameDuration = frameDuration
        listeners = listener.map { [$0] } ?? []
        results = Array(repeating: nil, count: requests.count)
        pendingCount = requests.count
    }

    var isComplete: Bool { pendingCount == 0 }

    /// Adds the completion of another call for the same frames.
    mutating func join(_ listener: ImageBinding.AnimationCompletion?) {
        if let listener { listeners.append(listener) }
    }

    /// Stores the result for the frame at index `frame` unless it already has one.
    mutating func take(_ result: Result<ImageResponse, ImageLoadingError>, frame: Int) {
        guard results.indices.contains(frame), results[frame] == nil else { return }
        results[frame] = result
        pendingCount -= 1
    }

    /// The animation of all loaded frames, in the order of the requests.
    ///
    /// Frames that failed are left out, as are frames that differ in size from the first loaded
    /// frame. If no frame was loaded, the result is the error of the first request.
    var image: Result<DecodedImage, ImageLoadingError> {
        let images = results.compactMap { try? $0?.get().image }
        guard let first = images.first else {
            guard case .failure(let error) = results.first ?? nil else {
                return .failure(.withoutURL)
            }
            return .failure(error)
        }
        let frames = images.filter { $0.pixels.size == first.pixels.size }
            .map { ImageAnimation.Frame(pixels: $0.pixels, duration: frameDuration) }
        let properties = ImageProperties(
            format: first.properties.format,
            size: first.properties.size,
            orientation: first.properties.orientation,
            hasAlpha: frames.contains(where: \.pixels.hasAlpha),
            isProgressive: false,
            frameCount: frames.count
        )
        let image = DecodedImage(
            pixels: first.pixels,
            properties: properties,
            animation: ImageAnimation(frames: frames, loopCount: nil)
        )
        return .success(image)
    }
}

extension ImageBinding {
    /// A closure that receives the result of a call to `setAnimationImages`: the animation or an
    /// error.
    public typealias AnimationCompletion = (Result<DecodedImage, ImageLoadingError>) -> Void

    /// Loads images and shows them as one endlessly repeating animation, like SDWebImage's
    /// `sd_setAnimationImages`.
    ///
    /// The view shows `placeholder` immediately. When all requests have finished, it shows the
    /// animation: a `DecodedImage` whose `animation` contains the frames in the order of the
    /// requests. Each frame is shown for `frameDuration`.
    ///
    /// Images that cannot be loaded are left out. If no image can be loaded, the view stays
    /// unchanged. All frames of an animation have the same size, so images that differ in size from
    /// the first loaded one are also left out. To avoid this, give all requests the same target
    /// size and `ImageContentMode.fill`.
    ///
    /// The loads form one group: the next call to `setImage`, `setAnimationImages` or `cancel`
    /// cancels all of them. A second call with the same list does not restart a running load.
    ///
    /// `completed` is called exactly once, in the binding's domain. It receives the animation, the
    /// error of the first image if no image could be loaded, or `.cancelled` as soon as the group
    /// is replaced. For an empty list, the view shows the placeholder and `completed` receives an
    /// error. If the view or the binding is deallocated first, `completed` is not called.
    ///
    /// Call this method in the binding's domain. It does not block.
    public func setAnimationImages(
        with requests: [ImageRequest],
        frameDuration: Duration = .milliseconds(100),
        placeholder: DecodedImage? = nil,
        completed: AnimationCompletion? = nil
    ) {
        if let animation, animation.requests == requests {
            self.animation?.join(completed)
            return
        }
        request = nil
        let listeners = completed.map { [$0] } ?? []
        guard replaceCurrent(by: nil) else { return tell(.failure(.cancelled), to: listeners) }
        view?.display(placeholder)
        guard !requests.isEmpty else { return tell(.failure(.withoutURL), to: listeners) }
        animation = BindingAnimation(requests, frameDuration: frameDuration, completed)
        start(requests)
    }

    private func start(_ requests: [ImageRequest]) {
        var group: [LoadOperation] = []
        for (frame, request) in requests.enumerated() {
            switch begin(request, makeListener(frame: frame)) {
            case .answered(let result): animation?.take(result, frame: frame)
            case .running(let operation, _): group.append(operation)
            }
        }
        operations.set(group, for: .image)
        finishIfComplete()
    }

    /// Handles an event of the load that provides the animation frame at index `frame`.
    func accept(_ event: LoadEvent, ofFrame frame: Int) {
        guard case .finished(let result) = event else { return }
        animation?.take(result, frame: frame)
        finishIfComplete()
    }

    private func finishIfComplete() {
        guard let ended = animation, ended.isComplete else { return }
        // Update the state first, because a completion may request the next image from this
        // binding.
        animation = nil
        operations.remove(.image)
        let result = ended.image
        if case .success(let image) = result { view?.display(image) }
        tell(result, to: ended.listeners)
    }

    /// Calls `listeners` with `result`, unless the view was deallocated.
    func tell(
        _ result: Result<DecodedImage, ImageLoadingError>,
        to listeners: [AnimationCompletion]
    ) {
        for listener in listeners where view != nil { listener(result) }
    }
}
