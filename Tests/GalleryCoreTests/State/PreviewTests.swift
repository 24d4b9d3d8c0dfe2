import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Pictures of which a feed offers small versions, and placeholders.
@Suite struct PreviewTests {
    private static let box = PixelSize(width: 300, height: 200)

    @Test(arguments: [
        ([100, 300, 600], "300"), ([100, 301, 600], "301"), ([100, 299], nil), ([], nil),
        ([600, 320], "320"), ([nil], "small"), ([100, nil, 600], "small"),
    ])
    func `a cell loads the smallest version that is as wide as its pixels`(
        widths: [Int?],
        expected: String?
    ) {
        var item = FeedItem(url: "http://h/picture")
        var details = FeedItemDetails()
        details.versions = widths.map { width in
            PictureVersion(url: width.map(String.init) ?? "small", width: width)
        }
        item.details = details

        #expect(item.version(for: Self.box)?.url == expected)
    }

    @Test func `an item without details has no versions, and is loaded at its usual size`() {
        let item = FeedItem(url: "http://h/picture")

        #expect(item.version(for: Self.box) == nil)
        // Two texts, two texts that may be missing, a number, and a reference.
        #expect(MemoryLayout<FeedItem>.size == 80)
    }

    @Test func `a version that is smaller than its cell is replaced by the image`() throws {
        var gallery = Self.gallery { $0.versions = [PictureVersion(url: "http://h/s")] }
        let slot = try #require(gallery.slot(ofItem: 0))
        #expect(gallery.state.version(ofItem: 0)?.url == "http://h/s")

        let enough = gallery.send(.slot(slot, .image(.plain(400, 300), .network)))
        let effects = gallery.send(.slot(slot, .image(.plain(4, 3), .network)))

        #expect(enough.isEmpty)
        #expect(effects.contains { if case .bind(slot, 0, _, _, _) = $0 { true } else { false } })
        #expect(gallery.state.version(ofItem: 0) == nil)
        // Until then it is better than nothing.
        #expect(gallery.state.pool.slots[slot].cellImage != nil)
    }

    @Test func `after a reload, an item whose version was too small loads its image`() throws {
        var gallery = Gallery(count: 0)
        let old = Self.feed(["a", "b"])
        let new = Self.feed(["x", "a", "b"])
        gallery.send(.feed(.success(old)))
        let slot = try #require(gallery.slot(ofItem: 0))
        gallery.send(.slot(slot, .image(.plain(4, 3), .network)))

        gallery.send(.reloaded(FeedReload(change: .init(from: old, to: new))))

        let versions = (0..<3).map { gallery.state.version(ofItem: $0)?.url }
        #expect(versions == ["http://h/x-small", nil, "http://h/b-small"])
        let cells = (0..<3).map { gallery.state.pool.slot(ofItem: $0)?.preview.version?.url }
        #expect(cells == versions)
    }

    @Test func `the size of a small version is not shown as the image's`() throws {
        var gallery = Self.gallery {
            $0.versions = [PictureVersion(url: "http://h/s", width: 400)]
            $0.size = PixelSize(width: 4000, height: 3000)
        }
        let slot = try #require(gallery.slot(ofItem: 0))

        gallery.send(.slot(slot, .image(.plain(400, 300), .network)))

        let bar = try #require(gallery.lines.last)
        #expect(bar.contains("4000×3000") && bar.contains("preview"))
        #expect(!bar.contains("400×300") && !bar.contains("JPEG"))
    }

    @Test func `a placeholder is shown while the image loads`()
        throws
    {
        var gallery = Self.gallery { $0.blurHash = BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj") }
        let slot = try #require(gallery.slot(ofItem: 0))
        let shown = { gallery.state.pool.slots[slot].shownImage }

        let atOnce = shown()
        gallery.send(.tick, .tick)
        let later = shown()
        gallery.send(.slot(slot, .image(.plain(400, 300), .network)))

        #expect(atOnce == nil && later != nil)
        // In cells alone: pixels would be sent for nothing.
        #expect(later?.pixelImage == nil)
        #expect(shown() == gallery.state.pool.slots[slot].cellImage)
    }

    @Test func `a placeholder does not hide the reason of a failure`() throws {
        var gallery = Self.gallery { $0.blurHash = BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj") }
        let slot = try #require(gallery.slot(ofItem: 0))
        gallery.send(.tick, .tick)

        gallery.send(.slot(slot, .failed(.transfer(.timedOut, "no answer"))))

        #expect(gallery.state.pool.slots[slot].shownImage == nil)
    }

    @Test func `with few colors there are no placeholders`() throws {
        var gallery = Self.gallery(.plain) {
            $0.blurHash = BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        }
        let slot = try #require(gallery.slot(ofItem: 0))

        gallery.send(.tick, .tick)

        #expect(gallery.state.pool.slots[slot].shownImage == nil)
    }

    /// Creates a feed whose items have a small version of unknown width.
    private static func feed(_ names: [String]) -> Feed {
        let items = names.map { name in
            var item = FeedItem(url: "http://h/\(name)")
            var details = FeedItemDetails()
            details.versions = [PictureVersion(url: "http://h/\(name)-small")]
            item.details = details
            return item
        }
        return Feed(items: items, title: "test")
    }

    private static func gallery(
        _ capabilities: ScreenCapabilities = .color,
        _ change: (inout FeedItemDetails) -> Void
    ) -> Gallery {
        var gallery = Gallery(count: 0, capabilities: capabilities)
        var item = FeedItem(url: "http://h/picture.jpg")
        var details = FeedItemDetails()
        change(&details)
        item.details = details
        gallery.send(.feed(.success(Feed(items: [item, item], title: "test"))))
        return gallery
    }
}
