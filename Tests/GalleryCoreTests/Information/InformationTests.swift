import ImageLoading
import Testing

@testable import GalleryCore

@Suite struct InformationTests {
    @Test func `i opens a page of what is known, and any key closes it`() {
        var gallery = Gallery()
        gallery.press("l")
        #expect(gallery.press("i") == [.readInformation(item: 1)])
        #expect(gallery.lines.contains { $0.contains("address") && $0.contains("http://h/1.jpg") })
        #expect(gallery.lines.last?.contains("Information") == true)

        var found = PictureInformation()
        found.add("model", "Canon EOS\u{1B}[2J R5", to: "Camera")
        found.add("lens", nil, to: "Camera")
        gallery.send(.information(found, item: 1))
        #expect(gallery.lines.contains { $0.contains("Camera") })
        #expect(gallery.lines.contains { $0.contains("model       Canon EOS [2J R5") })
        #expect(!gallery.lines.contains { $0.contains("lens") })

        gallery.press("i")
        #expect(gallery.state.overlay == nil)
        #expect(!gallery.lines.contains { $0.contains("Camera") })
    }

    @Test func `what is found of another picture is not shown`() {
        var gallery = Gallery()
        gallery.press("i")
        var found = PictureInformation()
        found.add("model", "other", to: "Camera")
        gallery.send(.information(found, item: 5))

        #expect(!gallery.lines.contains { $0.contains("Camera") })
    }

    @Test func `no password is shown, and a long address goes on below`() {
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

    @Test func `what the feed says is there, cleaned and cut`() throws {
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
        var gallery = Gallery(count: 0, columns: 100, rows: 40)
        gallery.send(.feed(.success(feed)))
        gallery.press("i")

        let lines = gallery.lines
        #expect(lines.contains { $0.contains("Feed") })
        #expect(lines.contains { $0.contains("author") && $0.contains("Ann [2J") })
        #expect(lines.contains { $0.contains("date") && $0.contains("2024-05-01 00:00:00 UTC") })
        #expect(lines.contains { $0.contains("lens_name_in_full  35mm") })
        #expect((2...6).contains(lines.count { $0.contains("yyyyyyyy") }))
    }

    @Test func `every screen has room for it`() {
        for (columns, rows) in Scene.sizes {
            for (_, capabilities) in Scene.modes {
                var gallery = Scene.gallery(columns, rows, capabilities, selecting: 2)
                gallery.press("i")
                #expect(gallery.state.frame().cells.count == columns * rows)
            }
        }
    }
}
