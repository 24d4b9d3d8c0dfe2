import Decoders
import GalleryCore
import ImageLoading

/// Connects the slots of the cell pool and the image view to their images.
///
/// Use this class on the UI thread only. Binding a slot to another image cancels the slot's current
/// load, including the network transfer.
final class CellBindings {
    /// The ID of the image view's binding, which differs from all slot IDs because they start at 0.
    static let detailID = -1
    /// The ID of the binding that loads all pixels of the image in the image view.
    static let fullSizeID = -2

    /// A closure that is called with an event from a load and the ID of the load's binding.
    typealias Listener = (_ bindingID: Int, _ event: LoadEvent) -> Void

    private let manager: ImageManager
    private let deliver: @Sendable (ImageDelivery) -> Void
    private let listener: Listener
    private let anchor = Anchor()
    private var bindings: [Int: ImageBinding] = [:]
    /// The number of times each binding was loaded or unbound.
    ///
    /// An event may have been sent before the last of these calls, for example by a load that was
    /// replaced. Such an event doesn't apply to the current state of the slot.
    private var callCounts: [Int: Int] = [:]

    init(
        manager: ImageManager,
        deliver: @escaping @Sendable (ImageDelivery) -> Void,
        listener: @escaping Listener
    ) {
        self.manager = manager
        self.deliver = deliver
        self.listener = listener
    }

    /// Binds a slot to an image.
    ///
    /// Loads only the part of the file that the cell needs.
    func bind(slot: Int, to request: ImageRequest) {
        var request = request
        request.options.insert(.stopWhenSufficient)
        load(request, into: slot)
    }

    /// Returns the request that the slot is loading or has loaded, or nil if it is unbound.
    func request(ofSlot slot: Int) -> ImageRequest? { bindings[slot]?.request }

    /// Loads an image for the image view.
    ///
    /// `request` specifies the size of the view. An image of that size is available sooner than the
    /// full-size image.
    func bindDetail(to request: ImageRequest) {
        unbind(Self.fullSizeID)
        load(request, into: Self.detailID)
    }

    /// Also loads the image view's image at full size, for zooming in.
    func bindFullSize(to request: ImageRequest) {
        var request = request
        request.targetSize = DetailViewport.largestImage
        load(request, into: Self.fullSizeID)
    }

    func unbindDetail() {
        unbind(Self.detailID)
        unbind(Self.fullSizeID)
    }

    func unbind(_ bindingID: Int) {
        callCounts[bindingID, default: 0] += 1
        bindings[bindingID]?.cancel()
    }

    /// Passes an event to its binding, which ignores late events.
    func accept(_ delivery: ImageDelivery) {
        bindings[delivery.bindingID]?.accept(delivery)
    }

    private func load(_ request: ImageRequest, into bindingID: Int) {
        let (manager, listener) = (manager, listener)
        var request = request
        if bindingID != Self.fullSizeID { request.options.insert(.progressive) }
        // While the cell is on the screen, the load waits for its host to become available.
        request.options.insert(.waitForHost)
        callCounts[bindingID, default: 0] += 1
        let call = callCounts[bindingID]
        binding(bindingID).setImage(
            with: request,
            progress: { [weak self] event in
                guard self?.callCounts[bindingID] == call else { return }
                listener(bindingID, event)
            },
            completed: { [weak self] result, request in
                guard self?.callCounts[bindingID] == call else { return }
                // A remembered failure includes the time of the next attempt.
                let result = result.mapError { error in
                    guard let request, error.kind != .cancelled else { return error }
                    return manager.rememberedFailure(of: request) ?? error
                }
                listener(bindingID, .finished(result))
            }
        )
    }

    private func binding(_ bindingID: Int) -> ImageBinding {
        if let known = bindings[bindingID] { return known }
        let made = ImageBinding(id: bindingID, view: anchor, manager: manager, deliver: deliver)
        bindings[bindingID] = made
        return made
    }

    /// A view that shows nothing.
    ///
    /// A binding needs a view, but `GalleryState` shows the images.
    private final class Anchor: ImageDisplaying {
        func display(_ image: DecodedImage?) {}
    }
}
