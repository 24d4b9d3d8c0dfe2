import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct LabelTests {
    private var gallery = Gallery()

    private func decision(
        _ number: Int,
        _ label: UInt8?,
        _ name: String?,
        instead previous: UInt8? = nil
    ) -> Effect {
        .keepLabel(
            LabelDecision(
                address: "http://h/\(number).jpg",
                label: label,
                name: name,
                previous: previous
            )
        )
    }

    @Test mutating func `in label mode digits label and step on`() {
        gallery.press("L")
        let effects = gallery.press("13")

        #expect(effects.contains(decision(0, 1, "keep")))
        #expect(effects.contains(decision(1, 3, "reject")))
        #expect(gallery.state.selectedItem == 2)
        #expect(gallery.lines.contains { $0.contains(" 1  Picture 0") })
        #expect(gallery.lines.last?.hasPrefix(" LABEL  3/100") == true)
        for _ in 0..<40 { gallery.send(.tick) }
        #expect(gallery.lines.last?.contains("1 keep  2 maybe  3 reject") == true)
    }

    @Test mutating func `outside of label mode digits are counts`() {
        let effects = gallery.press("3l")

        #expect(effects.allSatisfy { if case .keepLabel = $0 { false } else { true } })
        #expect(gallery.state.selectedItem == 3)
        gallery.press("LL2l")
        #expect(gallery.state.selectedItem == 5)
    }

    @Test mutating func `0 removes a label, and the same digit again writes nothing`() {
        gallery.press("L2h")
        #expect(gallery.press("2h").isEmpty)
        #expect(gallery.press("0").contains(decision(0, nil, nil, instead: 2)))
        #expect(gallery.state.choices.labels.isEmpty)
        gallery.press("h")
        #expect(gallery.press("0").isEmpty)
    }

    @Test mutating func `u undoes a label, returns to the image, and writes that too`() {
        gallery.press("L1h2")
        #expect(gallery.press("u").contains(decision(0, 1, "keep", instead: 2)))
        #expect(gallery.state.selectedItem == 0)
        #expect(gallery.press("u").contains(decision(0, nil, nil, instead: 1)))
        #expect(gallery.state.choices.labels.isEmpty)
    }

    @Test mutating func `a digit without a name labels nothing and reports why`() {
        gallery.press("L")
        #expect(gallery.press("4").isEmpty)

        #expect(gallery.state.choices.labels.isEmpty)
        #expect(gallery.lines.last?.contains("--label-names") == true)
    }

    @Test mutating func `a label that cannot be written is undone, and reported`() {
        gallery.press("L1")
        for case .keepLabel(let decision) in gallery.press("2") {
            gallery.send(.labelNotKept(decision, "No space left on device"))
        }

        #expect(gallery.state.choices.labels == ["http://h/0.jpg": 1])
        #expect(gallery.lines.last?.contains("not saved: No space left on device") == true)
        gallery.press("u")
        #expect(gallery.state.choices.labels.isEmpty)
    }

    @Test mutating func `Esc and L leave label mode`() {
        for key in [Key.escape, .character("L")] {
            gallery.press("L")
            #expect(gallery.state.labeling.isOn)
            gallery.press(key)
            #expect(!gallery.state.labeling.isOn)
        }
    }

    @Test mutating func `without a file label mode reports that labels are not stored`() {
        gallery.press("L")
        #expect(gallery.lines.last?.contains("use --labels FILE") == true)
    }

    @Test mutating func `an open image is labeled, and the next one opened`() {
        gallery.press(.enter)
        gallery.press("L")
        let effects = gallery.press("1")

        #expect(effects.contains(decision(0, 1, "keep")))
        #expect(gallery.state.detail?.item == 1)
    }

    @Test mutating func `an image that is marked and labeled shows both`() {
        gallery.press("mhL2h")
        for _ in 0..<40 { gallery.send(.tick) }
        #expect(gallery.lines.contains { $0.contains(" ◆2  Picture 0") })
        #expect(gallery.lines.last?.contains(" ◆2  Picture 0") == true)
    }

    private func gallery(given labels: [String: UInt8], _ urls: [String]) -> Gallery {
        var gallery = Gallery(count: 0)
        gallery.state.choices.take(labels: labels)
        let items = urls.map { FeedItem(url: $0) }
        gallery.send(.feed(.success(Feed(items: items, title: "test"))))
        return gallery
    }

    @Test func `the gallery opens at the first image without a label`() {
        let labels: [String: UInt8] = ["http://h/0.jpg": 1, "http://h/1.jpg": 2]
        let urls = (0..<50).map { "http://h/\($0).jpg" }

        #expect(gallery(given: labels, urls).state.selectedItem == 2)
        #expect(gallery(given: labels, Array(urls.prefix(2))).state.selectedItem == 0)
        #expect(gallery(given: [:], urls).state.selectedItem == 0)
    }

    @Test func `in a growing feed the gallery waits for the first image without a label`() {
        let labels: [String: UInt8] = ["http://h/0.jpg": 1, "http://h/1.jpg": 2]
        let items = (0..<4).map { FeedItem(url: "http://h/\($0).jpg") }
        let all = Feed(items: items, title: "all")

        var waiting = gallery(given: labels, ["http://h/0.jpg"])
        waiting.send(.feedChanged(all))
        #expect(waiting.state.selectedItem == 2)

        // After a key press the selection stays.
        var busy = gallery(given: labels, ["http://h/0.jpg"])
        busy.press("m")
        busy.send(.feedChanged(all))
        #expect(busy.state.selectedItem == 0)
    }

    @Test func `a label is found whatever login and spelling the feed uses`() {
        let labels: [String: UInt8] = ["http://h/0.jpg": 1, "file:///a%20b.png": 2]
        let urls = [
            "http://me:secret@h/0.jpg", "file://localhost/.//a%20%62.png", "http://h/1.jpg",
        ]

        #expect(gallery(given: labels, urls).state.selectedItem == 2)
    }

    @Test func `a URL is written without its password`() {
        var gallery = gallery(given: [:], ["http://me:secret@h/0.jpg"])
        for case .keepLabel(let decision) in gallery.press("L1") {
            #expect(decision.address == "http://h/0.jpg")
        }
        #expect(gallery.state.choices.labels == ["http://h/0.jpg": 1])
    }
}
