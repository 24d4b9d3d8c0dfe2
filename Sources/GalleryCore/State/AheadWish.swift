public import Decoders

/// Which items to bring into the caches before they come on the screen, nearest first.
public struct AheadWish: Hashable, Sendable {
    /// The next screen in the direction of scrolling: to be loaded before anything else that is
    /// not visible.
    public let soon: [Int]
    /// Further on; whenever nothing else is to do.
    public let later: [Int]
    /// The box to decode into.
    public let targetSize: PixelSize

    var isEmpty: Bool { soon.isEmpty && later.isEmpty }
}
