import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// An open picture turned, mirrored and at its own size: what is drawn of it, and where.
@Suite struct TurnedPictureTests {
    private func open(_ width: Int, _ height: Int) -> Gallery {
        var gallery = Gallery()
        gallery.press(.enter)
        gallery.send(.detail(.load(.image(.plain(width, height), .network))))
        return gallery
    }

    private func viewport(_ gallery: Gallery) throws -> DetailViewport {
        try #require(gallery.state.detail?.viewport)
    }

    /// The reds in the corners, from left to right and from top to bottom, of a picture with four
    /// quarters, each of another red.
    private func corners(after keys: String) throws -> [UInt8] {
        var gallery = open(40, 40)
        gallery.press(keys)
        let reds: [UInt8] = [10, 90, 170, 250]
        let pixels = PixelBuffer(
            size: PixelSize(width: 40, height: 40),
            bytes: (0..<1600).flatMap { index -> [UInt8] in
                [reds[(index / 800) * 2 + (index % 40) / 20], 0, 0, 255]
            },
            hasAlpha: false
        )
        let image = CellImage(pixels, viewport: try viewport(gallery), capabilities: .color)
        func red(_ cell: FrameCell) -> UInt8 {
            [cell.foreground, cell.background].map { color in
                if case .rgb(let red, _, _) = color.kind { red } else { 0 as UInt8 }
            }
            .max() ?? 0
        }
        let (last, right) = (image.rows - 1, image.columns - 1)
        return [image[0, 0], image[0, right], image[last, 0], image[last, right]].map { red($0) }
    }

    @Test(arguments: [
        ("", [1, 2, 3, 4]), (">", [3, 1, 4, 2]), ("<", [2, 4, 1, 3]), (">>", [4, 3, 2, 1]),
        ("\\", [2, 1, 4, 3]), ("_", [3, 4, 1, 2]), ("><", [1, 2, 3, 4]), (">>>>", [1, 2, 3, 4]),
        ("\\>", [4, 2, 3, 1]), (">\\", [1, 3, 2, 4]), ("_\\", [4, 3, 2, 1]),
        ("<_", [1, 3, 2, 4]),
    ])
    func `each key rotates or mirrors the visible image`(keys: String, corners: [Int]) throws {
        let found = try self.corners(after: keys)
        let order = found.sorted()
        #expect(found.map { (order.firstIndex(of: $0) ?? 0) + 1 } == corners)
    }

    @Test func `a rotated image is fitted into the box again`() throws {
        var gallery = open(400, 100)
        #expect(try viewport(gallery).imageSize == PixelSize(width: 400, height: 100))
        gallery.press(">")
        #expect(try viewport(gallery).imageSize == PixelSize(width: 100, height: 400))
        #expect(try viewport(gallery).isFitted)
        // The next one is upright.
        gallery.press("n")
        gallery.send(.detail(.load(.image(.plain(400, 100), .network))))
        #expect(try viewport(gallery).imageSize == PixelSize(width: 400, height: 100))
    }

    @Test func `turning keeps the center and the scale`() throws {
        var gallery = open(4000, 2000)
        gallery.press("++++llj")
        let before = try viewport(gallery)
        gallery.press(">")
        let turned = try viewport(gallery)
        #expect(abs(turned.scale - before.scale) < 1e-9)
        gallery.press("<")
        #expect(try viewport(gallery).crop == before.crop)
    }

    @Test func `a rotated image is drawn from the pixels that it then shows`() {
        let whole = PixelSize(width: 600, height: 4000)
        var gallery = Gallery()
        gallery.press(.enter)
        gallery.send(.detail(.load(.image(DecodedImage(.plain(66, 440), of: whole), .disk))))
        gallery.send(.detail(.fullSize(.image(DecodedImage(.plain(150, 1000), of: whole), .disk))))

        func drawn(_ effects: [Effect]) -> PixelSize? {
            for case .detail(.render(let pixels, _)) in effects.reversed() { return pixels.size }
            return nil
        }
        #expect(drawn(gallery.press(">")) == PixelSize(width: 150, height: 1000))
        #expect(drawn(gallery.press("<")) == PixelSize(width: 66, height: 440))
    }

    @Test func `= shows a pixel as a pixel, also of an enlarged image`() throws {
        var large = open(4000, 3000)
        large.press("=")
        #expect(abs(try viewport(large).scale - 1) < 1e-9)
        #expect(large.lines.last?.contains("100%") == true)

        var small = open(20, 20)
        #expect(try viewport(small).scale == 4)
        small.press("=")
        #expect(abs(try viewport(small).scale - 1) < 1e-9)
        #expect(try viewport(small).outputSize == PixelSize(width: 20, height: 20))
        // Up again in steps, of which the whole one is the next but one; and no further down.
        small.press("-")
        #expect(abs(try viewport(small).scale - 1) < 1e-9)
        small.press("++++")
        #expect(try viewport(small).isFitted)
        small.press("=0")
        #expect(try viewport(small).isFitted)
        // Arrows go on to the next picture: there is nothing to move.
        small.press("=l")
        #expect(small.state.selectedItem == 1)
    }
}
