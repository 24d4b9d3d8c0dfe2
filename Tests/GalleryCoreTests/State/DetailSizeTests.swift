import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// The picture view shows what fills it first; all the pixels follow for zooming in.
@Suite struct DetailSizeTests {
    private static let size = PixelSize(width: 4000, height: 3000)

    /// The full size in these tests, which need no twelve million pixels.
    private static let full = PixelSize(width: 800, height: 600)

    /// A picture of 4000×3000 that was loaded at `width`×`height`.
    private func large(_ width: Int, _ height: Int, _ red: UInt8 = 200) -> DecodedImage {
        DecodedImage(.plain(width, height, [red, 0, 0, 255]), of: Self.size)
    }

    private func drawn(_ effects: [Effect]) -> (pixels: PixelSize, viewport: DetailViewport)? {
        for case .detail(.render(let pixels, let viewport)) in effects.reversed() {
            return (pixels.size, viewport)
        }
        return nil
    }

    /// The picture view with a picture that fills it.
    private func opened() -> Gallery {
        var gallery = Gallery()
        gallery.press(.enter)
        gallery.send(.detail(.load(.image(large(400, 300), .disk))))
        return gallery
    }

    @Test func `the image is drawn to fill the view, and all its pixels are requested`() {
        var gallery = Gallery()
        gallery.press(.enter)

        let effects = gallery.send(.detail(.load(.image(large(400, 300), .disk))))

        #expect(drawn(effects)?.pixels == PixelSize(width: 400, height: 300))
        #expect(drawn(effects)?.viewport.imageSize == Self.size)
        #expect(effects.last == .detail(.loadFullSize(item: 0)))
    }

    @Test func `nothing is requested twice, whatever the number of previews`() {
        var gallery = Gallery()
        gallery.press(.enter)
        gallery.send(.detail(.load(.preview(large(400, 300, 1)))))

        let effects =
            gallery.send(.detail(.load(.preview(large(400, 300, 2)))))
            + gallery.send(.detail(.load(.image(large(400, 300, 3), .network))))

        #expect(!effects.contains(.detail(.loadFullSize(item: 0))))
    }

    @Test func `an image no larger than the view is loaded once`() {
        var gallery = Gallery()
        gallery.press(.enter)

        let effects = gallery.send(.detail(.load(.image(.plain(90, 60), .disk))))
        let zoomed = gallery.press("+")

        #expect(!(effects + zoomed).contains(.detail(.loadFullSize(item: 0))))
    }

    @Test func `a whole image is not drawn again when all pixels arrive, a zoomed one is`() throws {
        var gallery = opened()
        #expect(gallery.send(.detail(.fullSize(.image(large(800, 600), .disk)))).isEmpty)
        #expect(drawn(gallery.press("+"))?.pixels == Self.full)

        var early = opened()
        #expect(drawn(early.press("++"))?.pixels == PixelSize(width: 400, height: 300))
        let later = early.send(.detail(.fullSize(.image(large(800, 600), .disk))))
        #expect(drawn(later)?.pixels == Self.full)
        #expect(drawn(later)?.viewport.crop.width ?? 4000 < 4000)
    }

    @Test func `a window that grows is filled with all pixels`() {
        var gallery = opened()
        gallery.send(.detail(.fullSize(.image(large(800, 600), .disk))))

        let effects = gallery.send(.resize(ScreenSize(columns: 200, rows: 60)))

        #expect(drawn(effects)?.pixels == Self.full)
    }

    @Test func `if the full size cannot be decoded, zooming in enlarges and requests again`() {
        var gallery = opened()
        #expect(gallery.send(.detail(.fullSize(.failed(.notFound)))).isEmpty)

        let effects = gallery.press("+")

        #expect(drawn(effects)?.pixels == PixelSize(width: 400, height: 300))
        #expect(effects.last == .detail(.loadFullSize(item: 0)))
        #expect(gallery.press("+").contains(.detail(.loadFullSize(item: 0))) == false)
    }

    @Test func `after a refresh with a different image, the old pixels are not shown`() {
        var gallery = opened()
        gallery.send(.detail(.fullSize(.image(large(800, 600), .disk))))
        gallery.press("R")

        let confirmed = gallery.send(.detail(.load(.image(large(400, 300), .network))))
        #expect(confirmed.isEmpty)
        #expect(drawn(gallery.press("+"))?.pixels == Self.full)
        gallery.press("0")
        gallery.press("R")

        let changed = gallery.send(.detail(.load(.image(large(400, 300, 9), .network))))
        #expect(changed.last == .detail(.loadFullSize(item: 0)))
        #expect(drawn(gallery.press("+"))?.pixels == PixelSize(width: 400, height: 300))
    }

    @Test(arguments: [(400, 300), (4000, 3000), (1, 1), (399, 301), (7, 5000)])
    func `the shown part is inside the available pixels`(width: Int, height: Int) {
        let size = PixelSize(width: width, height: height)
        var viewport = DetailViewport(
            serial: 1,
            imageSize: Self.size,
            box: ScreenSize(columns: 80, rows: 22)
        )
        for step in 0..<40 {
            let crop = viewport.crop(of: size)
            #expect(crop.clamped(to: size) == crop)
            #expect(crop.width >= 1 && crop.height >= 1)
            viewport.zoomIn()
            viewport.pan(step.isMultiple(of: 3) ? .right : .down)
        }
    }
}
