import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct CroppingTests {
    /// A gallery whose first image is `width` times as high as it is wide, reduced to its tile.
    private func gallery(ratio: Int, of count: Int = 2) -> Gallery {
        var gallery = Gallery(count: count)
        let target = gallery.state.targetSize
        let original = PixelSize(width: 1000, height: 1000 * ratio)
        let loaded = original.scaled(into: target, mode: .fit)
        let pixels = DecodedImage.plain(loaded.width, loaded.height).pixels
        gallery.send(.slot(0, .image(DecodedImage(pixels, of: original), .memory)))
        return gallery
    }

    private func cells(of gallery: Gallery) -> ScreenSize? {
        gallery.state.pool.slots[0].cellImage.map {
            ScreenSize(columns: $0.columns, rows: $0.rows)
        }
    }

    @Test func `F lets images fill their tiles, then justifies the rows, then shows images whole`()
    {
        var gallery = gallery(ratio: 3)
        let box = gallery.state.grid.layout.imageBox
        let whole = cells(of: gallery)
        #expect(whole?.columns != box.columns)

        gallery.press("F")
        #expect(cells(of: gallery) == box)
        #expect(gallery.lines.last?.contains("images fill their tiles; F fills the rows") == true)

        gallery.press("F")
        let remark = "tiles are as wide as their images; F makes them equal"
        #expect(gallery.lines.last?.contains(remark) == true)

        gallery.press("F")
        #expect(cells(of: gallery) == whole)
        #expect(gallery.lines.last?.contains("images are shown whole") == true)
    }

    @Test func `a cropped image is loaded again once, with more pixels`() throws {
        var gallery = gallery(ratio: 3, of: 1)
        let target = gallery.state.targetSize

        let effects = gallery.press("F")
        #expect(effects.compactMap(\.boundItem) == [0])
        #expect(gallery.state.contentMode == .fill)

        let filling = DecodedImage.plain(target.width, target.width * 3).pixels
        let size = PixelSize(width: 1000, height: 3000)
        #expect(gallery.send(.slot(0, .image(DecodedImage(filling, of: size), .memory))).isEmpty)
        for value in ["off", "on"] {
            #expect(gallery.press(":set crop \(value)").isEmpty)
            #expect(gallery.press(.enter).isEmpty, "enough pixels for both")
        }
    }

    @Test func `an image that arrives for whole images after F is loaded again`() {
        var gallery = Gallery(count: 1)
        let target = gallery.state.targetSize
        gallery.send(.slot(0, .progress(LoadProgress(received: 1, expected: 9))))

        #expect(gallery.press("F").isEmpty, "the received bytes can be used")

        let whole = DecodedImage.plain(target.width / 3, target.height).pixels
        let image = DecodedImage(whole, of: PixelSize(width: 1000, height: 3000))
        let effects = gallery.send(.slot(0, .image(image, .memory)))
        #expect(effects.compactMap(\.boundItem) == [0])
    }

    @Test func `a small image is not enlarged further, and loads nothing`() {
        var gallery = Gallery(count: 1)
        gallery.send(.slot(0, .image(.plain(2, 2), .memory)))
        let whole = cells(of: gallery)

        #expect(gallery.press("F").isEmpty)

        #expect(cells(of: gallery) == whole)
    }

    @Test func `prefetched images are requested again`() {
        var gallery = Gallery()
        for slot in gallery.state.pool.slots.indices {
            gallery.send(.slot(slot, .image(.plain(2, 2), .memory)))
        }
        for _ in 0..<5 { gallery.send(.tick) }

        var effects = gallery.press("F")
        for _ in 0..<3 { effects += gallery.send(.tick) }

        let lists = effects.compactMap { effect -> Bool? in
            if case .prefetch(.load(let request)) = effect { request != nil } else { nil }
        }
        #expect(lists == [false, true])
    }

    @Test func `:set crop and the option --crop do the same`() {
        var gallery = gallery(ratio: 3)
        let box = gallery.state.grid.layout.imageBox

        gallery.press(":set crop on")
        gallery.press(.enter)
        #expect(cells(of: gallery) == box)
        gallery.press(":set crop off")
        gallery.press(.enter)
        #expect(gallery.state.contentMode == .fit)

        var settings = GallerySettings()
        settings.tileStyle = .cropped
        #expect(GalleryState(capabilities: .color, settings: settings).contentMode == .fill)
    }
}
