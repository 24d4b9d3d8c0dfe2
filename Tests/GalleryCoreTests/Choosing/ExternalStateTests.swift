import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct ExternalStateTests {
    private func gallery(_ urls: String...) -> Gallery {
        var gallery = Gallery(count: 0)
        let items = urls.map { FeedItem(url: $0) }
        gallery.send(.feed(.success(Feed(items: items, title: "test"))))
        return gallery
    }

    @Test func `o opens the selected image, w saves the marked ones or else the selected one`() {
        var gallery = Gallery()
        gallery.press("l")
        #expect(gallery.press("o") == [.external(.open(item: 1))])
        #expect(gallery.press("w") == [.external(.save(items: [1]))])

        gallery.press("5gmm")
        #expect(gallery.press("w") == [.external(.save(items: [4, 5]))])
        #expect(gallery.press("o") == [.external(.open(item: 6))])
    }

    @Test func `y copies the path of a file, and a URL without its password`() {
        var gallery = gallery("file:///a%20b.png", "http://me:secret@h/1.jpg")
        #expect(gallery.press("y") == [.external(.copy("/a b.png"))])
        #expect(gallery.lines.last?.contains("URL copied") == true)

        gallery.press("l")
        #expect(gallery.press("y") == [.external(.copy("http://h/1.jpg"))])
    }

    @Test func `a text that is too long is not copied`() {
        var gallery = gallery("data:image/png;base64," + String(repeating: "A", count: 60_000))

        #expect(gallery.press("y").isEmpty)
        #expect(gallery.lines.last?.contains("too long to copy") == true)
    }

    @Test func `! and | ask for a command and run it on the marked ones`() {
        var gallery = Gallery()
        gallery.press("mm!wc -c {}; ls")
        #expect(gallery.lines.last?.contains("!wc -c {}; ls") == true)
        #expect(gallery.lines.last?.contains("for 2 files") == true)
        #expect(
            gallery.press(.enter)
                == [.external(.run(command: "wc -c {}; ls", items: [0, 1], names: .arguments))]
        )

        gallery.press("U|sort")
        #expect(
            gallery.press(.enter) == [.external(.run(command: "sort", items: [2], names: .lines))]
        )
        gallery.press("|-0 xargs -0 ls")
        #expect(
            gallery.press(.enter)
                == [.external(.run(command: "xargs -0 ls", items: [2], names: .zeroEnded))]
        )
        gallery.press("|-0")
        #expect(gallery.press(.enter).isEmpty)
    }

    @Test func `a cancelled or empty command does not run`() {
        var gallery = Gallery()
        gallery.press("!rm")
        #expect(gallery.press(.escape).isEmpty)
        gallery.press("!  ")
        #expect(gallery.press(.enter).isEmpty)
        #expect(gallery.state.prompt.overlay == nil)
    }

    @Test func `without images the keys of other programs report it`() {
        for key in ["o", "y", "w", "!", "|"] {
            var gallery = Gallery(count: 0)
            #expect(gallery.press(key).isEmpty)
            #expect(gallery.lines.last?.contains("there is no image") == true)
        }
    }
}
