package import Decoders
internal import Feeds

/// The animation that is playing, and the size of its frames.
package struct AnimationTarget: Hashable, Sendable {
    /// The number of the item.
    package let item: Int
    /// The size of the box for the frames, in pixels.
    package let size: PixelSize
    /// Whether the frames fit inside the box or fill it.
    package let contentMode: ImageContentMode
    /// The number of frames that the file declares.
    package let frameCount: Int

    /// The maximum number of pixels per frame of an animation that plays at full size.
    private static let maximumFramePixelCount = 2 << 20

    /// Creates the target for the open image, or returns nil if no animation can play.
    ///
    /// The result is nil if the image is not an animation. An animation with frames of more than
    /// `maximumFramePixelCount` pixels plays at the size of the box, and only while the whole image
    /// is visible.
    init?(item: Int, frameCount: Int, fullSize: PixelSize, box: PixelSize, isZoomed: Bool) {
        let isLarge = fullSize.pixelCount > Self.maximumFramePixelCount
        guard frameCount > 1, !isZoomed || !isLarge else { return nil }
        self.init(item: item, frameCount: frameCount, size: isLarge ? box : fullSize)
    }

    /// Creates the target for an image in a cell, or returns nil if it is not an animation.
    init?(item: Int, frameCount: Int, size: PixelSize, contentMode: ImageContentMode = .fit) {
        guard frameCount > 1 else { return nil }
        self.item = item
        self.frameCount = frameCount
        self.size = size
        self.contentMode = contentMode
    }
}

/// The state of animations: whether they are enabled, and which item's animation is playing.
struct AnimationState: Equatable, Sendable {
    private(set) var isOn = true
    /// The item that shows an animation frame instead of its still image, or nil if there is none.
    private(set) var playingItem: Int?

    mutating func toggle() -> Notice {
        isOn.toggle()
        return Notice(
            isOn ? "animations are playing" : "animations are paused; press A to play them"
        )
    }

    /// Records that a frame of an item's animation is shown.
    ///
    /// Returns false if the frame is from an animation that has stopped and must not be shown.
    mutating func begin(_ item: Int, target: AnimationTarget?) -> Bool {
        guard target?.item == item else { return false }
        playingItem = item
        return true
    }

    /// Returns the item whose last animation frame must be replaced with its still image, or nil.
    ///
    /// The frame must be replaced if the item's animation has stopped or another animation has
    /// started.
    mutating func end(unless target: AnimationTarget?) -> Int? {
        guard let item = playingItem, target?.item != item else { return nil }
        playingItem = nil
        return item
    }

    /// Replaces the item number after the feed is reloaded.
    mutating func renumber(_ numbers: FeedRenumbering) {
        playingItem = playingItem.flatMap { numbers[$0] }
    }
}
