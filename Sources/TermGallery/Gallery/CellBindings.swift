import Decoders
import GalleryCore
import ImageLoading

/// The bindings of the cell pool's slots and of the detail view.
///
/// Lives on the UI thread. Binding a slot anew cancels what it was loading, down to the socket.
final class CellBindings {
    /// The detail view's binding; slots count from 0.
    static let detailID = -1
    /// The binding of all pixels of what the detail view shows.
    static let fullSizeID = -2

    /// Called with what became of a binding's load, and where it came from.
    typealias Listener = (_ bindingID: Int, _ event: LoadEvent) -> Void

    private let manager: ImageManager
    private let deliver: @Sendable (ImageDelivery) -> Void
    private let listener: Listener
    private let anchor = Anchor()
    private var bindings: [Int: ImageBinding] = [:]
    /// How often each binding was asked for something; what an earlier call hears, such as that it
    /// was replaced, says nothing about the slot as it is.
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

    /// A cell needs no more of a file than makes its image.
    func bind(slot: Int, to request: ImageRequest) {
        var request = request
        request.options.insert(.stopWhenSufficient)
        load(request, into: slot)
    }

    /// `request` has the size of the view: it is there sooner than all the pixels are.
    func bindDetail(to request: ImageRequest) {
        unbind(Self.fullSizeID)
        load(request, into: Self.detailID)
    }

    /// Loads all pixels of what the detail view shows, too, for zooming in.
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

    /// Passes an event on to its binding, which drops what is late.
    func accept(_ delivery: ImageDelivery) {
        bindings[delivery.bindingID]?.accept(delivery)
    }

    private func load(_ request: ImageRequest, into bindingID: Int) {
        let (manager, listener) = (manager, listener)
        var request = request
        if bindingID != Self.fullSizeID { request.options.insert(.progressive) }
        // As long as it is on the screen.
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
                // A failure that is remembered says when it is asked again.
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

    /// The images are shown by `GalleryState`; a binding only needs to know that it has a view.
    private final class Anchor: ImageDisplaying {
        func display(_ image: DecodedImage?) {}
    }
}
