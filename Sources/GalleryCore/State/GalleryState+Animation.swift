public import Decoders

/// The animated picture that plays, and at which size.
public struct AnimationTarget: Hashable, Sendable {
    /// The item's number.
    public let item: Int
    /// The box its frames are decoded into, in pixels.
    public let size: PixelSize
    /// How many frames its file says it has.
    public let frameCount: Int
}

/// One picture plays at a time: the one that is looked at alone, else the selected one.
extension GalleryState {
    /// Frames of more pixels than that are not played at their full size.
    private static let maximumFramePixelCount = 2 << 20

    /// What is to play; nil for nothing.
    ///
    /// Only what is on the screen plays, and only once the picture is there.
    public var animationTarget: AnimationTarget? {
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
            // What can't be held at full size plays while it is seen whole.
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

    /// Shows a frame of what plays; one that comes late is dropped.
    mutating func show(frame: PixelBuffer, ofItem item: Int) -> [Effect] {
        guard animationTarget?.item == item else { return [] }
        playingItem = item
        if detail != nil { return detail?.draw(frame: frame) ?? [] }
        pool.show(frame: frame, ofItem: item)
        return []
    }

    /// Shows what was rendered of the picture that is looked at, or of a frame of it.
    mutating func showInDetail(_ image: CellImage, _ viewport: DetailViewport) {
        var image = image
        if playingItem == detail?.item { image.becomeAnimationFrame() }
        detail?.show(image, of: viewport)
    }

    /// Shows the picture again, where another plays now, or none.
    mutating func endAnimation() -> [Effect] {
        guard let item = playingItem, animationTarget?.item != item else { return [] }
        playingItem = nil
        pool.show(frame: nil, ofItem: item)
        return detail?.item == item ? detail?.draw() ?? [] : []
    }
}
