package import Decoders
internal import Feeds
import TerminalUI

/// The animation that is playing, and its size.
package struct AnimationTarget: Hashable, Sendable {
    /// The number of the item.
    package let item: Int
    /// The box for its frames in pixels.
    package let size: PixelSize
    /// The number of frames according to the file.
    package let frameCount: Int
}

/// Playback of one animation at a time: the open image, or else the selected one.
extension GalleryState {
    /// The maximum number of pixels of a frame that is played at full size.
    private static let maximumFramePixelCount = 2 << 20

    /// The animation to play, or nil.
    ///
    /// An animation plays only while it is visible, and after its image has been loaded.
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

    /// Shows a frame of the current animation; a late frame of another one is discarded.
    mutating func show(frame: PixelBuffer, ofItem item: Int) -> [Effect] {
        guard animationTarget?.item == item else { return [] }
        playingItem = item
        if detail != nil { return detail?.draw(frame: frame) ?? [] }
        pool.show(frame: frame, ofItem: item)
        return []
    }

    /// Shows the rendered cells of the open image, or of one of its frames.
    mutating func showInDetail(_ image: CellImage, _ viewport: DetailViewport) {
        var image = image
        if playingItem == detail?.item { image.becomeAnimationFrame() }
        detail?.show(image, of: viewport)
    }

    /// Shows the still image again after another animation has started, or none.
    mutating func endAnimation() -> [Effect] {
        guard let item = playingItem, animationTarget?.item != item else { return [] }
        playingItem = nil
        pool.show(frame: nil, ofItem: item)
        return detail?.item == item ? detail?.draw() ?? [] : []
    }
}
