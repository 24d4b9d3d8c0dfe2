/// News for one binding on its way to the binding's own domain.
public struct ImageDelivery: Sendable {
    /// Which binding it is for (`ImageBinding.id`).
    public let bindingID: Int
    /// The binding's generation when the load began; a reused binding has moved on.
    public let generation: UInt64
    let event: LoadEvent

    /// Whether it tells how far the load is; later news of the kind replaces it.
    public var isProgress: Bool {
        if case .progress = event { true } else { false }
    }

    /// Whether it tells the end of the load.
    public var isFinal: Bool {
        if case .finished = event { true } else { false }
    }
}
