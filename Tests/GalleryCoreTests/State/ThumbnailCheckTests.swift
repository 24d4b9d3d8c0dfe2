import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct ThumbnailCheckTests {
    private static func picture(_ width: Int, _ height: Int, turned: Bool = false) -> PixelBuffer {
        let size = PixelSize(width: width, height: height)
        let bytes = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            let (x, y) = (index % width, index / width)
            let level = turned ? y * 255 / height : x * 255 / width
            return [UInt8(level), UInt8((x ^ y) % 30), 80, 255]
        }
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
    }

    @Test func `a smaller copy of the same image is accepted`() {
        let picture = Self.picture(800, 600)

        #expect(ThumbnailCheck.isTrue(Self.picture(40, 30), of: picture))
        #expect(
            ThumbnailCheck.isTrue(
                picture.resampled(to: PixelSize(width: 7, height: 5)),
                of: picture
            )
        )
        #expect(ThumbnailCheck.isTrue(.plain(0, 0), of: picture))
    }

    @Test func `another image is rejected`() {
        let picture = Self.picture(800, 600)

        #expect(!ThumbnailCheck.isTrue(Self.picture(40, 30, turned: true), of: picture))
        #expect(!ThumbnailCheck.isTrue(.plain(40, 30), of: picture))
    }

    @Test
    func `a cell with a thumbnail of another image is loaded again, and stays until then`() {
        var gallery = Gallery(count: 3)
        guard let slot = gallery.slot(ofItem: 0) else { return #expect(Bool(false), "no slot") }
        var thumbnail = DecodedImage.plain(8, 8)
        thumbnail.isThumbnail = true
        gallery.send(.slot(slot, .image(thumbnail, .disk)))
        #expect(gallery.state.thumbnailOfDetail == nil)
        gallery.press(.enter)

        let known = gallery.state.thumbnailOfDetail
        let effects = gallery.send(.reload(item: 0))

        #expect(known?.item == 0 && known?.pixels == thumbnail.pixels)
        #expect(effects.contains { if case .bind(slot, 0, _, _, _) = $0 { true } else { false } })
        #expect(gallery.state.pool.slots[slot].cellImage != nil)
    }
}
