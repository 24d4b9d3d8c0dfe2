import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct PickingTests {
    private func gallery(_ picking: Picking) -> Gallery {
        var gallery = Gallery()
        gallery.state.settings.picking = picking
        return gallery
    }

    @Test func `Enter picks the selected image, in the grid and where it is open`() {
        var gallery = gallery(.onEnter)
        gallery.press("ll")
        #expect(gallery.press(.enter) == [.finish(picking: [2])])

        gallery.press(" ")
        gallery.press("n")
        #expect(gallery.press(.enter) == [.finish(picking: [3])])
    }

    @Test func `Enter picks the marked images in the feed's order, if there are any`() {
        var gallery = gallery(.onEnter)
        gallery.press("5gm2gm50g")

        #expect(gallery.press(.enter) == [.finish(picking: [1, 4])])
    }

    @Test func `q picks nothing, and Enter still ends a prompt`() {
        var gallery = gallery(.onEnter)
        gallery.press("m:5")
        #expect(!gallery.press(.enter).contains(.finish(picking: [0])))

        #expect(gallery.press("q") == [.quit])
    }

    @Test func `without images Enter reports it`() {
        var gallery = Gallery(count: 0)
        gallery.state.settings.picking = .onEnter

        #expect(gallery.press(.enter).isEmpty)
        #expect(gallery.lines.last?.contains("there is no image") == true)
    }

    @Test func `quitting in any way picks the marked images`() {
        var gallery = gallery(.markedAtEnd)
        gallery.press("mm")

        #expect(gallery.press("q") == [.finish(picking: [0, 1])])
        gallery.press(":q")
        #expect(gallery.press(.enter) == [.finish(picking: [0, 1])])
    }

    @Test
    func `a URL of the user is picked unchanged, a URL of a feed on a server without its login`() {
        let urls = [
            "http://me:secret@h/a.png?b=c", "file:///a@b.png",
            "archive+http://me:secret@h/a.zip!/b.png?p1-2&x&9",
        ]
        func picked(_ origin: RequestOrigin) -> [String?] {
            var gallery = Gallery()
            let items = urls.map { FeedItem(url: $0) }
            gallery.state.feed = .success(Feed(items: items, title: "test", origin: origin))
            return (0...urls.count).map { gallery.state.pickedURL(ofItem: $0) }
        }
        let member = "archive+http://h/a.zip!/b.png"

        #expect(picked(.local) == [urls[0], urls[1], member, nil])
        for origin in [RequestOrigin.remoteFeed, .privateFeed] {
            #expect(picked(origin) == ["http://h/a.png?b=c", urls[1], member, nil])
        }
    }

    @Test func `a gallery without --pick picks nothing`() {
        var gallery = gallery(.nothing)
        gallery.press("m")
        #expect(gallery.press("q") == [.quit])
    }
}
