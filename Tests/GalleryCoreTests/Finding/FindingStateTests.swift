import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct FindingStateTests {
    private let names = (0..<40).map { $0 % 7 == 3 ? "Meadow \($0)" : "Sea \($0)" }

    // MARK: Search

    @Test func `a search goes to the nearest match while typing, and Escape returns`() {
        var gallery = FindingGallery(names)
        gallery.press(.down, .right)
        #expect(gallery.state.grid.selection == 5)

        gallery.press("/mead")
        #expect(gallery.state.grid.selection == 10)
        #expect(gallery.lastLine.hasPrefix(" /mead "))
        #expect(gallery.lastLine.contains("match 2 of 6   Enter stays  Esc goes back"))
        gallery.press("ow 31")
        #expect(gallery.state.grid.selection == 31)
        gallery.press("x")
        #expect(gallery.state.grid.selection == 5)
        #expect(gallery.lastLine.contains("no match"))
        gallery.press(.backspace)
        #expect(gallery.state.grid.selection == 31)

        gallery.press(.escape)
        #expect(gallery.state.grid.selection == 5)
        #expect(gallery.state.grid.topRow == 0)
        #expect(gallery.state.finding.search == nil)
    }

    @Test func `n and N step between matches and wrap around the ends`() {
        var gallery = FindingGallery(names)
        gallery.press("/meadow")
        gallery.press(.enter)
        #expect(gallery.state.grid.selection == 3)

        gallery.press("nn")
        #expect(gallery.state.grid.selection == 17)
        #expect(gallery.lastLine.contains("match 3 of 6"))
        gallery.press("NNN")
        #expect(gallery.state.grid.selection == 38)
        #expect(gallery.lastLine.contains("match 6 of 6, continued at the last"))
        gallery.press("n")
        #expect(gallery.state.grid.selection == 3)
        #expect(gallery.lastLine.contains("continued at the first"))

        gallery.press(.escape)
        #expect(gallery.state.finding.search == nil)
        gallery.press("n")
        #expect(gallery.state.grid.selection == 10)
    }

    @Test func `n without a search reports it, and an empty search repeats the last`() {
        var gallery = FindingGallery(names)
        gallery.press("n")
        #expect(gallery.lastLine.contains("no search yet; press / to search"))

        gallery.press("/meadow")
        gallery.press(.enter)
        gallery.press("/")
        gallery.press(.enter)
        #expect(gallery.state.grid.selection == 10)
        gallery.press("/nothing")
        gallery.press(.enter)
        #expect(gallery.lastLine.contains("! no caption or URL contains \"nothing\""))
        gallery.press("n")
        #expect(gallery.lastLine.contains("! no caption or URL contains"))
    }

    @Test func `matches are underlined in captions`() {
        var gallery = FindingGallery(names)
        gallery.press("/EA")
        gallery.press(.escape)
        gallery.press("/ea")

        let frame = gallery.state.frame()
        let underlined = frame.cells.indices.filter {
            frame.cells[$0].attributes.contains(.underline)
        }
        #expect(underlined.count == 16)
        #expect(Set(underlined.map { frame.cells[$0].scalar }) == [0x65, 0x61])
    }

    @Test func `late results and those of another feed change nothing`() {
        var gallery = Gallery()
        let effects = gallery.press("/7")
        guard case .finding(.find(_, let number))? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        gallery.press("x")
        gallery.send(
            .finding(.found(.nearest(70), number: number)),
            .finding(.found(.all([70]), number: number))
        )
        #expect(gallery.state.grid.selection == 0)

        gallery.send(.feed(.success(Feed(items: [FeedItem(url: "http://h/1")], title: "other"))))
        gallery.send(.finding(.arranged(ItemOrder(items: [50], isAscending: true), number: 0)))
        gallery.send(.finding(.found(.all([70]), number: number + 1)))
        #expect(gallery.state.itemCount == 1)
        #expect(gallery.state.grid.selection == 0)
    }

    // MARK: Filter

    @Test func `a filter shows the matches, keeps the tiles, and Escape removes it`() {
        var gallery = FindingGallery(names)
        let box = gallery.state.grid.layout.imageBox
        gallery.press("f")
        #expect(gallery.lastLine.hasPrefix(" filter   words, /pattern/, name:value; Tab: names "))

        gallery.press("mea")
        #expect(gallery.state.itemCount == 6)
        #expect(gallery.lastLine.contains("6 of 40   Enter keeps  Esc clears"))
        gallery.press(.enter)
        #expect(gallery.lastLine.hasPrefix(" 1/6 of 40 "))
        #expect(gallery.state.grid.layout.imageBox == box)

        gallery.press("f")
        #expect(gallery.lastLine.hasPrefix(" filter mea "))
        gallery.press(.escape)
        #expect(gallery.state.itemCount == 40)

        gallery.press("f31")
        gallery.press(.enter)
        #expect(gallery.state.selectedItem == 31)
        gallery.press(.escape)
        #expect(gallery.state.itemCount == 40)
        #expect(gallery.state.selectedItem == 31)
    }

    @Test func `an unknown field is drawn in the color of failures, and nothing runs`() {
        var gallery = FindingGallery(names)
        gallery.press("fmeadow ")
        #expect(gallery.state.itemCount == 6)

        gallery.paste("fromat:jpeg")
        #expect(gallery.state.itemCount == 6)
        #expect(gallery.lastLine.contains("no such field: fromat:"))
        let frame = gallery.state.frame()
        let failure = gallery.state.theme.style(.failure, on: .raised)
        #expect(frame[23, 13].foreground != failure.foreground)
        #expect((15..<26).allSatisfy { frame[23, $0].foreground == failure.foreground })

        gallery.press(.enter)
        #expect(gallery.state.prompt.overlay != nil)
        gallery.press(.escape)
        #expect(gallery.state.itemCount == 40)
    }

    @Test func `a filter without matches reports it`() {
        var gallery = FindingGallery(names)
        gallery.press("fwhale")
        gallery.press(.enter)

        #expect(gallery.lines.contains { $0.contains("Nothing matches \"whale\".") })
        #expect(gallery.lines.contains { $0.contains("Esc clears the filter.") })
        #expect(gallery.lastLine.hasPrefix(" 0/0 of 40 "))
        gallery.press("jklG \rnNS")
        gallery.press(.escape, .escape)
        #expect(gallery.state.itemCount == 40)
    }

    @Test func `a word that becomes an unknown field by its colon restores the items`() {
        var gallery = FindingGallery(names)
        gallery.press("fmeadow fromat")
        #expect(gallery.state.itemCount == 0)

        gallery.press(":")
        #expect(gallery.state.itemCount == 6)
        #expect(gallery.lastLine.contains("no such field: fromat:"))
        gallery.press("j")
        #expect(gallery.state.itemCount == 6)

        gallery.press(.backspace, .backspace)
        #expect(gallery.state.itemCount == 0)
        for _ in "fromat" { gallery.press(.backspace) }
        #expect(gallery.state.itemCount == 6)
    }

    @Test func `an empty grid does not blame a word that is not a filter`() {
        var gallery = FindingGallery(names)
        gallery.press("fseal whale:")

        #expect(gallery.lines.contains { $0.contains("Nothing matches.") })
        #expect(gallery.lastLine.contains("no such field: whale:"))
    }

    @Test func `a search continues in the filtered items`() {
        var gallery = FindingGallery(names)
        gallery.press("/1")
        gallery.press(.enter)
        gallery.press("fmeadow")
        gallery.press(.enter)

        #expect(gallery.state.finding.search?.positions == [1, 2, 4])
        gallery.press("g")
        gallery.press("n")
        #expect(gallery.state.selectedItem == 10)
    }

    // MARK: Order

    @Test func `S and a key sort the images`() {
        var gallery = FindingGallery(["b 10", "c", "b 9", "a"])
        gallery.press("S")
        #expect(gallery.lastLine.hasPrefix(" sort  n name  d date  s size  x dimensions  h host"))

        gallery.press("n")
        #expect(gallery.state.visibleItems == [3, 2, 0, 1])
        #expect(gallery.lastLine.contains("by name"))
        gallery.press("SR")
        #expect(gallery.state.visibleItems == [1, 0, 2, 3])
        gallery.press("So")
        #expect(gallery.state.visibleItems == [0, 1, 2, 3])
        #expect(gallery.state.grid.order.isFeedOrder)
        for key in "dsxhr" { gallery.press("S\(key)") }
        #expect(gallery.state.itemCount == 4)
        gallery.press("Sq")
        #expect(gallery.lastLine.contains("no such order: q"))
        gallery.press("S")
        gallery.press(.escape)
        #expect(gallery.state.prompt.overlay == nil)
    }

    @Test func `commands can sort and filter too`() {
        var gallery = FindingGallery(names)
        gallery.press(":filter meadow")
        gallery.press(.enter)
        gallery.press(":sort reverse")
        gallery.press(.enter)
        #expect(gallery.state.visibleItems == [38, 31, 24, 17, 10, 3])
        gallery.press(":sort random 2")
        gallery.press(.enter)
        #expect(gallery.state.itemCount == 2)
        #expect(gallery.lastLine.contains("in random order, seed 1"))
        let once = gallery.state.visibleItems
        gallery.press(":sort random")
        gallery.press(.enter)
        #expect(gallery.lastLine.contains("seed 2"))
        gallery.press(":sort random 2 seed:1")
        gallery.press(.enter)
        #expect(gallery.state.visibleItems == once)
        gallery.press(":sort name seed:1")
        gallery.press(.enter)
        #expect(gallery.lastLine.contains("! :sort KEY"))
        gallery.press(":filter fromat:x")
        gallery.press(.enter)
        #expect(gallery.lastLine.contains("! no such field: fromat:"))
        gallery.press(":open ~/other")
        gallery.press(.enter)
        #expect(gallery.effects.last == .feed(.open("~/other")))
    }

    @Test func `slow work is reported`() {
        var gallery = Gallery()
        gallery.press("Sn")
        #expect(gallery.state.needsTicks)

        for _ in 0..<11 { gallery.send(.tick) }

        #expect(gallery.lines.last?.contains("sorting 100 images") == true)
    }

    @Test func `pasted text goes into every prompt as text`() {
        var gallery = FindingGallery(names)
        for (keys, label) in [("/", "/"), ("f", "filter "), (":", ":")] {
            gallery.press(keys)
            gallery.paste("mea\u{1B}[2Jdow\nCy\n")
            #expect(gallery.lastLine.hasPrefix(" \(label)mea"))
            #expect(!gallery.lastLine.contains("Cy"))
            gallery.press(.escape)
            #expect(gallery.state.prompt.overlay == nil)
        }
        #expect(gallery.state.itemCount == 40)
    }
}
