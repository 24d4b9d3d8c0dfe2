import Testing

@testable import GalleryCore

@Suite struct SlideshowStateTests {
    private let tick = GalleryState.tickInterval

    @Test func `the show that the settings request starts once, when there are images`() {
        var state = SlideshowState()
        #expect(state.takeStart(isRequested: false, canShow: true) == false)
        #expect(state.takeStart(isRequested: true, canShow: false) == false)
        #expect(state.takeStart(isRequested: true, canShow: true) == true)
        #expect(state.takeStart(isRequested: true, canShow: true) == false)
    }

    @Test func `the next image is prefetched once, after the open image has loaded`() {
        var state = SlideshowState()
        _ = state.toggle(interval: nil)
        #expect(state.follow(openItem: 4, isPending: true, next: 5) == [])
        #expect(state.follow(openItem: 4, isPending: false, next: 5) == [.prefetch(.open(item: 5))])
        #expect(state.follow(openItem: 4, isPending: false, next: 5) == [])
        #expect(state.follow(openItem: 5, isPending: false, next: nil) == [])
    }

    @Test func `closing the image ends the show and its prefetch`() {
        var state = SlideshowState()
        #expect(state.follow(openItem: nil, isPending: false, next: nil) == [])
        _ = state.toggle(interval: nil)
        #expect(
            state.follow(openItem: nil, isPending: false, next: 5) == [.prefetch(.open(item: nil))]
        )
        #expect(state.show == nil)
    }

    @Test func `the next image is due after the interval, which starts again for each image`() {
        var state = SlideshowState()
        #expect(state.tick(tick, isPending: false) == false)
        _ = state.toggle(interval: .milliseconds(300))
        _ = state.follow(openItem: 0, isPending: false, next: 1)
        let first = (1...3).map { _ in state.tick(tick, isPending: false) }
        #expect(first == [false, false, true])
        _ = state.follow(openItem: 1, isPending: false, next: 0)
        #expect(state.tick(tick, isPending: false) == false)
    }
}
