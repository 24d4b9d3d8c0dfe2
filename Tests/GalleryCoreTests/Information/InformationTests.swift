import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct InformationTests {
    @Test func `i opens a panel next to the grid that follows the selection`() {
        var gallery = Gallery(columns: 120, rows: 40)
        gallery.press("l")
        #expect(gallery.press("i").contains(.readInformation(item: 1)))
        #expect(gallery.state.panels.column != nil)
        #expect(gallery.lines.contains { $0.contains("URL") && $0.contains("http://h/1.jpg") })
        #expect(gallery.lines[1].contains("Information"))

        var found = PictureInformation()
        found.add("model", "Canon EOS\u{1B}[2J R5", to: "Camera")
        found.add("lens", nil, to: "Camera")
        gallery.send(.information(found, item: 1))
        #expect(gallery.lines.contains { $0.contains("Camera") })
        #expect(gallery.lines.contains { $0.contains("model      Canon EOS [2J R5") })
        #expect(!gallery.lines.contains { $0.contains("lens") })

        #expect(gallery.press("l").contains(.readInformation(item: 2)))
        #expect(gallery.lines.contains { $0.contains("http://h/2.jpg") })
        #expect(!gallery.lines.contains { $0.contains("Camera") })

        gallery.press("i")
        #expect(gallery.state.panels.information == nil)
        #expect(gallery.state.panels.column == nil)
    }

    @Test func `in a small window it is a page, where arrows go to the next image`() {
        var gallery = Gallery(columns: 50, rows: 24)
        #expect(gallery.press("i").contains(.readInformation(item: 0)))
        #expect(gallery.state.isInformationPage)
        #expect(gallery.lines.last?.contains("Information") == true)
        #expect(gallery.press("l").contains(.readInformation(item: 1)))
        #expect(gallery.lines.contains { $0.contains("http://h/1.jpg") })
        gallery.press("x")
        #expect(gallery.state.panels.information == nil)
    }

    @Test(arguments: [(20, 5), (24, 8), (40, 12)])
    func `a small window cuts no word and no number of the information`(columns: Int, rows: Int) {
        var gallery = Gallery(columns: columns, rows: rows)
        let size = PixelSize(width: 6000, height: 4000)
        let image = DecodedImage(.plain(60, 40, [1, 2, 3, 255]), of: size)
        gallery.send(.slot(0, .image(image, .network)))
        gallery.press("i")
        var found = PictureInformation()
        found.add("model", "Canon EOS R5 Mark II", to: "Camera")
        gallery.send(.information(found, item: 0))

        var words: Set<Substring> = []
        for _ in 0..<40 {
            for line in gallery.lines { words.formUnion(line.split(separator: " ")) }
            gallery.send(.input(.mouse(.wheelDown)))
        }
        let expected: [Substring] = [
            "6000×4000", "Canon", "EOS", "R5", "Mark", "II", "network", "caption", "Picture",
        ]
        #expect(words.isSuperset(of: expected), "\(words)")
    }

    @Test func `a label of the statistics is cut between words`() {
        #expect(StatisticsPen.words(of: "not downloaded", in: 14) == "not downloaded")
        #expect(StatisticsPen.words(of: "memory is short", in: 10) == "memory is")
        #expect(StatisticsPen.words(of: "prefetched", in: 4) == "prefetched")
    }

    @Test func `next to an open image it takes 40 columns, and the image the rest`() {
        var gallery = Gallery(columns: 100, rows: 30)
        gallery.press(.enter)
        let whole = gallery.state.detailBox
        gallery.press("i")
        #expect(gallery.state.detailBox.cells.columns == whole.cells.columns - 40)
        #expect(gallery.lines.contains { $0.contains("http://h/0.jpg") })
        #expect(gallery.press("n").contains(.readInformation(item: 1)))
        gallery.press("i")
        #expect(gallery.state.detailBox == whole)
    }

    @Test func `groups that do not fit are shown by the same key, then the panel closes`() {
        var gallery = Gallery(columns: 120, rows: 14)
        gallery.press("i")
        var found = PictureInformation()
        for number in 0..<8 { found.add("line \(number)", "x", to: "Cache") }
        for number in 0..<8 { found.add("mark \(number)", "x", to: "Late") }
        gallery.send(.information(found, item: 0))
        #expect(gallery.lines.contains { $0.contains("i shows more") })
        var shown = gallery.lines.joined()
        for _ in 0..<5 {
            gallery.press("i")
            if gallery.state.panels.information == nil { break }
            shown += gallery.lines.joined()
        }
        #expect(shown.contains("line 7") && shown.contains("mark 7"))
        #expect(gallery.state.panels.information == nil)
    }

    @Test func `I shows a long text whole on a page, and folds it again`() {
        var gallery = Gallery(columns: 120, rows: 24)
        var found = PictureInformation()
        let lines = (0..<40).map { "step \($0)" }
        found.add("parameters", lines.joined(separator: "\n"), to: "Text")
        gallery.press("i")
        gallery.send(.information(found, item: 0))
        #expect(gallery.lines.contains { $0.contains("step 5") })
        #expect(!gallery.lines.contains { $0.contains("step 6") })
        #expect(gallery.lines.contains { $0.contains("I all  i closes") })

        gallery.press("I")
        #expect(gallery.state.isInformationPage)
        var shown = ""
        for _ in 0..<20 {
            shown += gallery.lines.joined()
            gallery.send(.input(.mouse(.wheelDown)))
        }
        #expect(lines.allSatisfy(shown.contains))
        gallery.press("I")
        #expect(!gallery.state.isInformationPage && gallery.state.panels.information != nil)
    }

    @Test func `Y copies the position of the photo that the information shows`() {
        var gallery = Gallery(columns: 120, rows: 24)
        #expect(gallery.press("Y") == [])
        #expect(gallery.lines.last?.contains("open the information (i) first") == true)
        gallery.press("i")
        #expect(gallery.press("Y") == [])
        #expect(gallery.lines.last?.contains("still reading the file") == true)
        gallery.send(.information(PictureInformation(), item: 0))
        #expect(gallery.press("Y") == [])
        #expect(gallery.lines.last?.contains("no position in this file") == true)

        var found = PictureInformation()
        found.position = "48.856600, -2.352200"
        gallery.send(.information(found, item: 0))
        #expect(gallery.press("Y") == [.external(.copy("48.856600, -2.352200"))])
        gallery.press("I")
        #expect(gallery.press("Y") == [.external(.copy("48.856600, -2.352200"))])
        #expect(gallery.state.panels.information != nil)
    }

    @Test func `the statistics and the information replace each other`() {
        var gallery = Gallery(columns: 120, rows: 40)
        gallery.press("is")
        #expect(gallery.state.panels.information == nil && gallery.state.panels.statistics != nil)
        gallery.press("i")
        #expect(gallery.state.panels.information != nil && gallery.state.panels.statistics == nil)
        gallery.press(.escape)
        #expect(gallery.state.panels.information == nil)
    }

    @Test func `stages of a load share one scale, and its end is requested`() throws {
        var gallery = Gallery(columns: 120, rows: 40)
        gallery.press("i")
        var times = LoadTimes(total: .milliseconds(100))
        times.waiting = .milliseconds(50)
        times.answer = .milliseconds(25)
        times.transfer = .milliseconds(20)
        times.decoding = .milliseconds(5)
        var response = ImageResponse(
            image: .plain(8, 8),
            source: .network,
            byteCount: 100,
            httpStatus: 200
        )
        response.times = times
        let slot = try #require(gallery.slot(ofItem: 0))
        let effects = gallery.send(.slot(slot, .finished(.success(response))))
        #expect(effects.contains(.readInformation(item: 0)))
        #expect(gallery.lines.contains { $0.contains("total      100 ms") })
        let line = try #require(gallery.lines.first { $0.contains("answer     25 ms") })
        let bar = line.filter { "━─".contains($0) }
        let start = bar.prefix { $0 == "─" }.count
        #expect(abs(start - bar.count / 2) <= 1)
        #expect(abs(bar.count { $0 == "━" } - bar.count / 4) <= 1)
    }

    @Test func `information about another image is not shown`() {
        var gallery = Gallery()
        gallery.press("i")
        var found = PictureInformation()
        found.add("model", "other", to: "Camera")
        gallery.send(.information(found, item: 5))

        #expect(!gallery.lines.contains { $0.contains("Camera") })
    }

    @Test func `no password is shown, and a long URL is wrapped`() {
        var gallery = Gallery(count: 0, columns: 40, rows: 12)
        let url = "http://me:secret@h/" + String(repeating: "abcdefghij", count: 50)
        gallery.send(.feed(.success(Feed(items: [FeedItem(url: url)], title: "test"))))
        gallery.press("i")
        var seen = gallery.lines
        for _ in 0..<20 {
            gallery.press("j")
            seen += gallery.lines
        }

        #expect(!seen.contains { $0.contains("secret") })
        #expect(seen.count { $0.contains("abcdefghij") } > 3)
    }

    @Test func `the feed's fields are shown, cleaned and cut`() throws {
        let text = """
            url,caption,author,date,lens_name_in_full,long
            http://h/1.jpg,C,Ann\u{1B}[2J,2024-05-01,35mm,\(String(repeating: "y", count: 1 << 20))
            """
        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "t.csv",
            base: .directory("/"),
            origin: .local
        )
        var gallery = Gallery(count: 0, columns: 100, rows: 40, tileWidth: 60)
        gallery.send(.feed(.success(feed)))
        gallery.press("i")

        let lines = gallery.lines
        #expect(lines.contains { $0.contains("Feed") })
        #expect(lines.contains { $0.contains("author") && $0.contains("Ann [2J") })
        #expect(lines.contains { $0.contains("date") && $0.contains("2024-05-01 00:00:00 UTC") })
        #expect(lines.contains { $0.contains("lens_name_in_full  35mm") })
        #expect((2...6).contains(lines.count { $0.contains("yyyyyyyy") }))
    }

    @Test func `every screen has room for the information`() {
        for (columns, rows) in Scene.sizes {
            for (_, capabilities) in Scene.modes {
                var gallery = Scene.gallery(columns, rows, capabilities, selecting: 2)
                gallery.press("i")
                #expect(gallery.state.frame().cells.count == columns * rows)
            }
        }
    }
}
