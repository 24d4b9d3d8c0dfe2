import Decoders
import Testing

@testable import GalleryCore

@Suite struct PlayingAnimationTests {
    private let size = PixelSize(width: 40, height: 30)
    private let large = PixelSize(width: 4000, height: 3000)
    private let box = PixelSize(width: 800, height: 600)

    private func target(_ item: Int) -> AnimationTarget? {
        AnimationTarget(item: item, frameCount: 3, size: size)
    }

    @Test func `a large animation plays at the size of the box, and only if all of it is visible`()
    {
        func target(_ size: PixelSize, frames: Int = 3, isZoomed: Bool) -> AnimationTarget? {
            AnimationTarget(
                item: 0,
                frameCount: frames,
                fullSize: size,
                box: box,
                isZoomed: isZoomed
            )
        }
        #expect(target(size, isZoomed: true)?.size == size)
        #expect(target(large, isZoomed: false)?.size == box)
        #expect(target(large, isZoomed: true) == nil)
        #expect(target(size, frames: 1, isZoomed: false) == nil)
    }

    @Test func `a late frame of another animation is not shown`() {
        var state = AnimationState()
        #expect(state.begin(1, target: target(2)) == false)
        #expect(state.begin(1, target: nil) == false)
        #expect(state.playingItem == nil)
        #expect(state.begin(2, target: target(2)) == true)
        #expect(state.playingItem == 2)
    }

    @Test func `the still image is shown again once, when the animation ends`() {
        var state = AnimationState()
        #expect(state.end(unless: nil) == nil)
        _ = state.begin(2, target: target(2))
        #expect(state.end(unless: target(2)) == nil)
        #expect(state.end(unless: target(3)) == 2)
        #expect(state.end(unless: target(3)) == nil)
    }
}
