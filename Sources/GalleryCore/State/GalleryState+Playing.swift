internal import Decoders
import TerminalUI

/// Methods that play one animation at a time.
///
/// The animation is the open image or, if no image is open, the selected image.
extension GalleryState {
    /// The animation to play, or nil if no animation can play.
    ///
    /// An animation starts only after its still image has been loaded.
    package var animationTarget: AnimationTarget? {
        guard animation.isOn, fits, !showsPage, !isHelpShown else { return nil }
        if let detail {
            guard let size = detail.fullSize, !detail.load.isPending else { return nil }
            return AnimationTarget(
                item: detail.item,
                frameCount: detail.shown.facts.frameCount,
                fullSize: size,
                box: detailBox.imageSize,
                isZoomed: detail.viewport?.showsWholeImage == false
            )
        }
        guard let item = selectedItem, let slot = pool.slot(ofItem: item), !slot.load.isPending,
            !slot.hasFailed
        else { return nil }
        return AnimationTarget(
            item: item,
            frameCount: slot.shown.facts.frameCount,
            size: targetSize,
            contentMode: contentMode
        )
    }

    private var isHelpShown: Bool { if case .help? = prompt.overlay { true } else { false } }

    /// Shows a frame of the current animation.
    mutating func show(frame: PixelBuffer, ofItem item: Int) -> [Effect] {
        guard animation.begin(item, target: animationTarget) else { return [] }
        if detail != nil { return detail?.draw(frame: frame) ?? [] }
        pool.show(frame: frame, ofItem: item)
        return []
    }

    /// Shows rendered cells in the image view.
    ///
    /// The cells show either the open image or a frame of its animation.
    mutating func showInDetail(_ image: CellImage, _ viewport: DetailViewport) {
        var image = image
        if animation.playingItem == detail?.item { image.becomeAnimationFrame() }
        detail?.show(image, of: viewport)
    }

    /// Shows the still image again after its animation has ended.
    mutating func endAnimation() -> [Effect] {
        // The target is computed only while an animation is playing because this method runs for
        // each message.
        guard animation.playingItem != nil, let item = animation.end(unless: animationTarget)
        else { return [] }
        pool.show(frame: nil, ofItem: item)
        return detail?.item == item ? detail?.draw() ?? [] : []
    }
}

/// Methods for the slideshow in the image view.
///
/// After the last image, the slideshow continues with the first image.
extension GalleryState {
    /// Whether the slideshow timer is running.
    ///
    /// The timer is stopped while a page, a prompt or the help is open.
    var showsSlides: Bool {
        slideshow.show != nil && detail != nil && prompt.overlay == nil && !isStatisticsPage
            && !isInformationPage
    }

    /// Handles a tick, and opens the next image when it is due.
    mutating func tickSlideshow() -> [Effect] {
        guard showsSlides, let detail else { return [] }
        let isDue = slideshow.tick(Self.tickInterval, isPending: detail.load.isPending)
        guard isDue, let next = nextImagePosition else { return [] }
        return look(at: next)
    }

    /// Starts the slideshow requested in the settings, and prefetches the next image.
    mutating func followSlideshow() -> [Effect] {
        let isRequested = settings.slideshow != nil
        if slideshow.takeStart(
            isRequested: isRequested,
            canShow: display.isSizeKnown && firstImagePosition < itemCount
        ) {
            notice = slideshow.toggle(interval: settings.slideshow)
            grid.select(max(grid.selection, firstImagePosition))
            return openDetail() + settle()
        }
        return slideshow.follow(
            openItem: detail?.item,
            isPending: detail?.load.isPending ?? false,
            next: nextImagePosition.map { grid.order[$0] }
        )
    }
}
