package import Decoders
internal import Feeds

/// The animation that is playing, and the size of its frames.
package struct AnimationTarget: Hashable, Sendable {
    /// The number of the item.
    package let item: Int
    /// The size of the box for the frames, in pixels.
    package let size: PixelSize
    /// The number of frames according to the file.
    package let frameCount: Int

    /// The maximum number of pixels per frame for playing an animation at full size.
    private static let maximumFramePixelCount = 2 << 20

    /// Creates the target for the open image; nil if the image is not an animation, or if its
    /// frames exceed `maximumFramePixelCount` and it is not completely visible.
    init?(item: Int, frameCount: Int, fullSize: PixelSize, box: PixelSize, isZoomed: Bool) {
        let isLarge = fullSize.pixelCount > Self.maximumFramePixelCount
        guard frameCount > 1, !isZoomed || !isLarge else { return nil }
        self.init(item: item, frameCount: frameCount, size: isLarge ? box : fullSize)
    }

    /// Creates the target for an image in a cell; nil if the image is not an animation.
    init?(item: Int, frameCount: Int, size: PixelSize) {
        guard frameCount > 1 else { return nil }
        self.item = item
        self.frameCount = frameCount
        self.size = size
    }
}

/// The state of animations: whether they play, and the item whose animation is playing.
struct AnimationState: Equatable, Sendable {
    private(set) var isOn = true
    /// The item that shows an animation frame instead of its still image, or nil.
    private(set) var playingItem: Int?

    mutating func toggle() -> Notice {
        isOn.toggle()
        return Notice(
            isOn ? "animations are playing" : "animations are paused; press A to play them"
        )
    }

    /// Records that a frame of an item is shown, and returns whether the frame may be shown; a late
    /// frame of another animation is discarded.
    mutating func begin(_ item: Int, target: AnimationTarget?) -> Bool {
        guard target?.item == item else { return false }
        playingItem = item
        return true
    }

    /// Returns the item whose still image must be shown again, because its animation has stopped or
    /// another animation has started.
    mutating func end(unless target: AnimationTarget?) -> Int? {
        guard let item = playingItem, target?.item != item else { return nil }
        playingItem = nil
        return item
    }

    /// Applies the new item numbers of a reloaded feed.
    mutating func renumber(_ numbers: FeedRenumbering) {
        playingItem = playingItem.flatMap { numbers[$0] }
    }
}
