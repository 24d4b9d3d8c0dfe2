package import Decoders
internal import Feeds
import TerminalUI

/// The animation that is playing, and the size of its frames.
package struct AnimationTarget: Hashable, Sendable {
    /// The number of the item.
    package let item: Int
    /// The size of the box for the frames, in pixels.
    package let size: PixelSize
    /// The number of frames according to the file.
    package let frameCount: Int
}

/// Playing one animation at a time: the open image, or the selected image if none is open.
extension GalleryState {
    /// The maximum number of pixels per frame for playing an animation at full size.
    private static let maximumFramePixelCount = 2 << 20

    /// The animation to play, or nil if no animation is visible.
    ///
    /// An animation plays only after its still image has been loaded.
    package var animationTarget: AnimationTarget? {
        guard playsAnimations, fits, !isStatisticsPage, !isInformationPage, !isTracePage,
            !isHelpShown
        else {
            return nil
        }
        if let detail {
            guard let size = detail.fullSize, detail.facts.frameCount > 1, !detail.load.isPending
            else {
                return nil
            }
            let isZoomed = detail.viewport?.showsWholeImage == false
            // A large animation plays only while the whole image is visible.
            let isLarge = size.pixelCount > Self.maximumFramePixelCount
            guard !isZoomed || !isLarge else { return nil }
            return AnimationTarget(
                item: detail.item,
                size: isLarge ? detailBox.imageSize : size,
                frameCount: detail.facts.frameCount
            )
        }
        guard let item = selectedItem, let slot = pool.slot(ofItem: item),
            slot.facts.frameCount > 1,
            !slot.load.isPending, !slot.hasFailed
        else { return nil }
        return AnimationTarget(
            item: item,
            size: targetSize,
            frameCount: slot.facts.frameCount
        )
    }

    private var isHelpShown: Bool { if case .help? = overlay { true } else { false } }

    mutating func toggleAnimations() {
        playsAnimations.toggle()
        notice = Notice(
            playsAnimations
                ? "animations are playing" : "animations are paused; press A to play them"
        )
    }

    /// Shows a frame of the current animation; a late frame of another animation is discarded.
    mutating func show(frame: PixelBuffer, ofItem item: Int) -> [Effect] {
        guard animationTarget?.item == item else { return [] }
        playingItem = item
        if detail != nil { return detail?.draw(frame: frame) ?? [] }
        pool.show(frame: frame, ofItem: item)
        return []
    }

    /// Shows the rendered cells of the open image or of one of its animation frames.
    mutating func showInDetail(_ image: CellImage, _ viewport: DetailViewport) {
        var image = image
        if playingItem == detail?.item { image.becomeAnimationFrame() }
        detail?.show(image, of: viewport)
    }

    /// Shows the still image again if its animation has stopped or another animation has started.
    mutating func endAnimation() -> [Effect] {
        guard let item = playingItem, animationTarget?.item != item else { return [] }
        playingItem = nil
        pool.show(frame: nil, ofItem: item)
        return detail?.item == item ? detail?.draw() ?? [] : []
    }
}
