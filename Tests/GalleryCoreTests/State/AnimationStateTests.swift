import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Which animation plays, and which frame is shown.
@Suite struct AnimationStateTests {
    private static let red = PixelBuffer.plain(16, 12, [255, 0, 0, 255])

    private static func animated(_ width: Int = 16, _ height: Int = 12) -> DecodedImage {
        let pixels = PixelBuffer.plain(width, height)
        let properties = ImageProperties(
            format: .gif,
            size: pixels.size,
            orientation: 1,
            hasAlpha: false,
            isProgressive: false,
            frameCount: 7
        )
        return DecodedImage(pixels: pixels, properties: properties)
    }

    /// A gallery whose first three pictures are there, all but the second animated.
    private static func gallery() throws -> Gallery {
        var gallery = Gallery(count: 20)
        for item in 0..<3 {
            let slot = try #require(gallery.slot(ofItem: item))
            let image = item == 1 ? DecodedImage.plain(16, 12) : animated()
            gallery.send(.slot(slot, .image(image, .network)))
        }
        return gallery
    }

    private func image(_ gallery: Gallery, _ item: Int) -> CellImage? {
        gallery.state.pool.slot(ofItem: item)?.cellImage
    }

    @Test func `the selected image plays if it is animated and loaded`() throws {
        var gallery = try Self.gallery()

        #expect(gallery.state.animationTarget?.item == 0)
        #expect(gallery.state.animationTarget?.frameCount == 7)
        gallery.press(.right)
        #expect(gallery.state.animationTarget == nil)
        gallery.press(.right)
        #expect(gallery.state.animationTarget?.item == 2)
        gallery.press(.right)
        #expect(gallery.state.animationTarget == nil)
    }

    @Test func `a frame is shown at the image's position until another image is selected`() throws {
        var gallery = try Self.gallery()
        let still = image(gallery, 0)

        gallery.send(.frame(Self.red, item: 0))
        #expect(image(gallery, 0) != still)
        gallery.press(.right)
        #expect(image(gallery, 0) == still)
    }

    @Test func `a frame that is late, or of another image, is dropped`() throws {
        var gallery = try Self.gallery()
        gallery.press(.right)
        let stills = (0..<3).map { image(gallery, $0) }

        gallery.send(.frame(Self.red, item: 0), .frame(Self.red, item: 99))

        #expect((0..<3).map { image(gallery, $0) } == stills)
    }

    @Test func `A stops and starts the animation and reports it`() throws {
        var gallery = try Self.gallery()
        let still = image(gallery, 0)
        gallery.send(.frame(Self.red, item: 0))

        gallery.press("A")
        #expect(gallery.state.animationTarget == nil && image(gallery, 0) == still)
        #expect(gallery.lines.last?.contains("animations are paused") == true)
        gallery.press("A")
        #expect(gallery.state.animationTarget?.item == 0)
    }

    @Test func `hidden animations do not play`() throws {
        var gallery = try Self.gallery()

        gallery.press("?")
        #expect(gallery.state.animationTarget == nil)
        gallery.press(.escape)
        #expect(gallery.state.animationTarget != nil)
        gallery.send(.resize(ScreenSize(columns: 5, rows: 2)))
        #expect(gallery.state.animationTarget == nil)
    }

    @Test func `only the open image plays, at its own size`() throws {
        var gallery = try Self.gallery()
        gallery.press(.enter)
        #expect(gallery.state.animationTarget == nil)

        gallery.send(.detail(.load(.image(Self.animated(), .network))))
        let target = gallery.state.animationTarget
        let effects = gallery.send(.frame(Self.red, item: 0))

        #expect(target?.item == 0 && target?.size == PixelSize(width: 16, height: 12))
        let viewport = try #require(gallery.state.detail?.viewport)
        #expect(effects == [.detail(.render(Self.red, viewport))])
    }

    @Test func `a large animation plays at the size of the screen, and not while it is zoomed`()
        throws
    {
        var gallery = try Self.gallery()
        gallery.press(.enter)
        gallery.send(.detail(.load(.image(Self.animated(2_000, 1_500), .network))))

        let target = gallery.state.animationTarget
        gallery.press("+++")

        #expect(target.map { $0.size.pixelCount < 2_000 * 1_500 } == true)
        #expect(gallery.state.animationTarget == nil)
    }

    @Test func `an animated image has a mark, and the status bar counts its frames`() throws {
        let gallery = try Self.gallery()

        #expect(gallery.lines.contains { $0.contains("▸ Picture 0") })
        #expect(!gallery.lines.contains { $0.contains("▸ Picture 1") })
        #expect(gallery.lines.last?.contains("7 frames") == true)
    }
}
