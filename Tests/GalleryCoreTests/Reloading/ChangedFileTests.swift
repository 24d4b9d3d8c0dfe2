import ImageLoading
import Testing
import VirtualTerminal

@testable import Decoders
@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Local files that change while they are displayed, without `--watch`.
@Suite struct ChangedFileTests {
    private var gallery = Gallery(count: 0)
    private let urls = (0..<3).map { FeedItem(filePath: "/w/\($0).png").url }

    init() {
        let items = (0..<3).map { FeedItem(filePath: "/w/\($0).png") }
        gallery.send(.feed(.success(Feed(items: items, title: "w"))))
    }

    /// The end of the load of a file that is cut off after `byteCount` bytes.
    private func half(byteCount: Int) -> LoadEvent {
        var image = DecodedImage.plain(8, 8)
        image.damage = .truncated(.jpeg)
        return .finished(
            .success(
                ImageResponse(image: image, source: .disk, byteCount: byteCount, httpStatus: nil)
            )
        )
    }

    private func whole(byteCount: Int) -> LoadEvent {
        .finished(
            .success(
                ImageResponse(
                    image: .plain(8, 8, [0, 0, 255, 255]),
                    source: .disk,
                    byteCount: byteCount,
                    httpStatus: nil
                )
            )
        )
    }

    private func rebinds(_ effects: [Effect]) -> [Int] {
        effects.compactMap { effect in
            if case .bind(_, let item, _, _, true) = effect { item } else { nil }
        }
    }

    @Test mutating func `r and F5 check the files on the screen, and reload those that changed`()
        throws
    {
        for slot in 0..<3 { gallery.send(.slot(slot, .image(.plain(8, 8), .disk))) }
        #expect(gallery.press("r") == [.files(.checkAll)])
        #expect(gallery.lines.last?.contains("checking the files") == true)
        #expect(gallery.press(.function(5)).contains(.files(.checkAll)))
        let before = gallery.state.pool.slot(ofItem: 1)?.cellImage

        let effects = gallery.send(.filesChanged([urls[1], "file:///w/unknown.png"]))

        #expect(rebinds(effects) == [1])
        #expect(gallery.state.pool.slot(ofItem: 1)?.cellImage == before)
        let slot = try #require(gallery.slot(ofItem: 1))
        gallery.send(.slot(slot, whole(byteCount: 5)))
        #expect(gallery.state.pool.slot(ofItem: 1)?.cellImage != before)
    }

    @Test mutating func `an incomplete file is checked later, and again until it is complete`()
        throws
    {
        let slot = try #require(gallery.slot(ofItem: 0))
        #expect(
            gallery.send(.slot(slot, half(byteCount: 500))).contains(
                .files(.checkLater(url: urls[0]))
            )
        )
        #expect(gallery.send(.fileCheckDue(url: urls[0])) == [.files(.check(url: urls[0]))])

        #expect(rebinds(gallery.send(.filesChanged([urls[0]]))) == [0])
        let end = gallery.send(.slot(slot, whole(byteCount: 1000)))
        #expect(!end.contains { if case .files = $0 { true } else { false } })
        #expect(gallery.send(.fileCheckDue(url: urls[0])).isEmpty)
    }

    @Test
    mutating func `a file that cannot be decoded yet is checked later, a cancelled load is not`()
        throws
    {
        let slot = try #require(gallery.slot(ofItem: 0))
        let truncated = ImageLoadingError(
            stage: .decode,
            kind: .permanent,
            reason: .decoding(.truncated(.jpeg))
        )
        let cancelled = gallery.send(.slot(slot, .failed(.cancelled)))
        #expect(!cancelled.contains(.files(.checkLater(url: urls[0]))))

        let failed = gallery.send(.slot(slot, .failed(truncated)))
        #expect(failed.contains(.files(.checkLater(url: urls[0]))))
    }

    @Test mutating func `files in an archive are not checked`() {
        let item = FeedItem(url: "archive:///w/a.zip!/0.png", caption: "0")
        gallery.send(.feed(.success(Feed(items: [item], title: "a"))))
        #expect(!gallery.press("r").contains(.files(.checkAll)))
        #expect(gallery.lines.last?.contains("checking the files") == false)
    }

    @Test mutating func `the open image is checked and reloaded too`() {
        gallery.press(.enter)
        let opened = gallery.send(.detail(.load(half(byteCount: 500))))
        #expect(opened.contains(.files(.checkLater(url: urls[0]))))
        #expect(gallery.press("r") == [.files(.checkAll)])

        let effects = gallery.send(.filesChanged([urls[0]]))
        #expect(effects.contains(.detail(.open(item: 0, refreshing: true))))
    }

    @Test mutating func `the length of the incomplete file is forgotten when the file changes`()
        throws
    {
        let slot = try #require(gallery.slot(ofItem: 0))
        gallery.send(.slot(slot, half(byteCount: 5000)))
        #expect(gallery.state.pool.slot(ofItem: 0)?.shown.facts.byteCount == 5000)

        gallery.send(.filesChanged([urls[0]]), .slot(slot, whole(byteCount: 4000)))

        #expect(gallery.state.pool.slot(ofItem: 0)?.shown.facts.byteCount == 4000)
    }

    @Test func `images on servers are not checked`() {
        var gallery = Gallery(count: 3)
        for slot in 0..<3 { gallery.send(.slot(slot, half(byteCount: 5))) }
        #expect(gallery.press("r").isEmpty)
        #expect(!gallery.press(.function(5)).contains(.files(.checkAll)))
    }
}
