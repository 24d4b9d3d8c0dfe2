import Testing
import VirtualTerminal

@testable import GalleryCore
@testable import TerminalUI

@Suite struct CommandTests {
    private func lastLine(of gallery: Gallery) -> String { gallery.lines.last ?? "" }

    @Test func `the cursor is only at the position of typing`() {
        var gallery = Gallery()
        #expect(gallery.state.frame().cursor == nil)

        gallery.press(":quit")
        #expect(gallery.state.frame().cursor == FrameCursor(row: 23, column: 6))
        gallery.press(.left, .left)
        #expect(gallery.state.frame().cursor == FrameCursor(row: 23, column: 4))
        gallery.press(.escape)
        #expect(gallery.state.frame().cursor == nil)
    }

    @Test(arguments: [80, 40, 20])
    func `a line longer than the window keeps its cursor visible`(columns: Int) {
        var gallery = Gallery(columns: columns)

        gallery.press(":" + String(repeating: "日", count: 90) + "end")

        let frame = gallery.state.frame()
        #expect(frame.cursor == FrameCursor(row: 23, column: columns - 2))
        #expect(frame.lines.last?.hasSuffix("日end") == true)
        gallery.press(.home)
        #expect(gallery.state.frame().cursor == FrameCursor(row: 23, column: 2))
    }

    @Test func `typed and pasted text never reaches the screen raw`() {
        let hostile = "\u{202E}\u{7}\u{1B}]0;x\u{9B}31m\u{2028}\u{E0041}日"
        for keys in [":", "C"] {
            var gallery = Gallery()
            gallery.press(keys)
            for scalar in hostile.unicodeScalars { gallery.press(.character(Character(scalar))) }
            gallery.send(.input(.paste(hostile)))

            #expect(gallery.state.frame().cells.allSatisfy { !(1..<0x20).contains($0.scalar) })
            #expect(!lastLine(of: gallery).unicodeScalars.contains("\u{202E}"))
            #expect(gallery.press(.escape).isEmpty)
            #expect(gallery.state.prompt.overlay == nil)
        }
    }

    @Test func `a destructive answer must be typed`() {
        var gallery = Gallery()

        gallery.press("C")
        gallery.send(.input(.paste("yes\n")))
        #expect(gallery.press(.enter).isEmpty)

        gallery.press("CCCC")
        #expect(gallery.press(.enter).isEmpty)
        #expect(lastLine(of: gallery).contains("the disk cache was not cleared"))
    }

    @Test func `a pasted command waits for Enter`() {
        var gallery = Gallery()
        gallery.press(":")

        #expect(gallery.send(.input(.paste("quit\n:set\n"))).isEmpty)
        #expect(lastLine(of: gallery).hasPrefix(" :quit "))
        #expect(gallery.press(.enter) == [.quit])
    }

    @Test(
        arguments: [
            ("sing", "! unknown command: sing"), ("set", "! :set NAME VALUE: tiles auto"),
            ("set tiles wide", "! :set NAME VALUE"), ("quit now", "! :quit "),
            ("\u{1B}[2J", "! unknown command: [2J"), ("set pictures pixels", "! this terminal"),
        ]
    )
    func `an impossible command is reported, and nothing runs`(line: String, notice: String) {
        var gallery = Gallery(columns: 160)
        let before = gallery.state.settings

        gallery.press(":")
        gallery.send(.input(.paste(line)))

        #expect(gallery.press(.enter).isEmpty)
        #expect(lastLine(of: gallery).contains(notice), "\(lastLine(of: gallery))")
        #expect(gallery.state.settings == before)
        #expect(gallery.state.grid.tileWidth == before.tileWidth)
    }

    @Test func `:set changes the setting that it names`() {
        var gallery = Gallery()

        gallery.press(":set tiles 30")
        #expect(gallery.press(.enter).last == .rememberTileWidth(30))
        #expect(gallery.state.grid.layout.imageBox.columns >= 30)
        gallery.press(":set tiles auto")
        #expect(gallery.press(.enter).last == .rememberTileWidth(nil))

        gallery.press(":set animations off")
        gallery.press(.enter)
        #expect(!gallery.state.animation.isOn)
        gallery.press(":set auto-scroll on")
        gallery.press(.enter)
        #expect(gallery.state.grid.autoScroll != nil)
        gallery.press(":set images braille")
        gallery.press(.enter)
        #expect(gallery.state.capabilities.symbols == .braille)
        gallery.press(":help")
        gallery.press(.enter)
        #expect(gallery.lines[1].contains("Move"))
    }

    @Test(arguments: [
        ("claer disk", "unknown command: claer; did you mean \"clear\"?"),
        ("hlep", "unknown command: hlep; did you mean \"help\"?"),
        ("thme dark", "unknown command: thme; did you mean \"theme\"?"),
        ("quti!", "unknown command: quti!; did you mean \"quit\"?"),
        ("clear", ":clear CACHE: memory, disk"), ("theme blue", ":theme NAME: auto, dark, light"),
        ("help!", "unknown command: help!"),
    ])
    func `a misspelled command gets a suggestion, and a wrong argument the possible ones`(
        line: String,
        notice: String
    ) {
        var gallery = Gallery(columns: 160)
        gallery.press(":\(line)")
        #expect(gallery.press(.enter).isEmpty)
        #expect(lastLine(of: gallery).contains("! " + notice), "\(lastLine(of: gallery))")
    }

    @Test(arguments: ["q", "q!", "quit!", "wq", "wq!", "x", "x!"])
    func `the commands with which vi quits also quit the gallery`(line: String) {
        var gallery = Gallery()
        gallery.press(":\(line)")
        #expect(gallery.press(.enter) == [.quit])
    }

    @Test func `:h shows the help, and :e opens another feed`() {
        var gallery = Gallery()
        gallery.press(":h")
        gallery.press(.enter)
        #expect(gallery.lines[1].contains("Move"))
        gallery.press("q:e other.txt")
        #expect(gallery.press(.enter) == [.feed(.open("other.txt"))])
    }

    @Test func `:clear memory clears that cache, and :clear disk asks first`() {
        var gallery = Gallery()
        gallery.press(":clear memory")
        #expect(gallery.press(.enter) == [.cache(.clearMemory)])
        gallery.press(":clear disk")
        #expect(gallery.press(.enter).isEmpty)
        gallery.press("yes")
        #expect(gallery.press(.enter) == [.cache(.clearDisk)])
    }

    @Test func `:theme changes the colors, and :stats shows the statistics`() {
        var gallery = Gallery()
        let dark = gallery.state.frame()[0, 0].background
        gallery.press(":theme light")
        gallery.press(.enter)
        #expect(gallery.state.frame()[0, 0].background != dark)
        gallery.press(":theme dark")
        gallery.press(.enter)
        #expect(gallery.state.frame()[0, 0].background == dark)

        gallery.press(":stats")
        gallery.press(.enter)
        #expect(gallery.state.panels.statistics != nil)
    }

    @Test func `Tab completes up to the first difference, and shows the candidates`() {
        var gallery = Gallery(columns: 100)

        gallery.press(":q")
        gallery.press(.control("i"))
        #expect(lastLine(of: gallery).hasPrefix(" :quit "))
        gallery.press(.control("u"))
        gallery.press("set an")
        gallery.press(.control("i"))
        #expect(
            lastLine(of: gallery).hasPrefix(" :set animations o  animations on  animations off")
        )
        gallery.press("f")
        gallery.press(.control("i"))
        #expect(lastLine(of: gallery).hasPrefix(" :set animations off  "))
        gallery.press(.control("u"), .control("i"))
        #expect(CommandTable.entries.allSatisfy { lastLine(of: gallery).contains($0.names[0]) })
    }

    @Test func `a command can be recalled`() {
        var gallery = Gallery()
        gallery.press(":12")
        gallery.press(.enter, .home)

        gallery.press(":")
        gallery.press(.up, .enter)

        #expect(gallery.state.grid.selection == 11)
    }

    @Test func `every completed word is understood`() {
        for entry in CommandTable.entries {
            for word in entry.words {
                let line = "\(entry.names[0]) \(word.replacing("N", with: "30"))"
                guard case .success? = CommandTable.parse(line) else {
                    Issue.record("\(line)")
                    continue
                }
            }
        }
    }
}
