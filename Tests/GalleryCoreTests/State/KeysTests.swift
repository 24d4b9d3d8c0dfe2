import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct KeysTests {
    @Test(
        arguments: [
            ([Key.right], 1), ([.left], 0), ([.down], 4), ([.down, .up], 0), ([.up], 0),
            ([.character("l"), .character("j"), .character("h"), .character("k")], 0),
            ([.pageDown], 8), ([.control("f")], 8), ([.pageDown, .pageUp], 0),
            ([.pageDown, .control("b")], 0), ([.control("d")], 4),
            ([.control("d"), .control("d"), .control("u")], 4), ([.end], 29),
            ([.character("G")], 29),
            ([.end, .home], 0), ([.end, .character("g")], 0), ([.end, .down], 29),
            ([.end, .right], 29), ([.end, .pageDown], 29),
        ]
    )
    func `keys move the selection and stop at the ends`(keys: [Key], selection: Int) {
        var gallery = Gallery(count: 30)

        for key in keys { gallery.press(key) }

        #expect(gallery.state.grid.selection == selection)
        #expect(gallery.state.visibleItems.contains(selection))
    }

    @Test func `down from the last but one row reaches the last image of a shorter row`() {
        var gallery = Gallery(count: 6)

        gallery.press(.right, .right, .right, .down)

        #expect(gallery.state.grid.selection == 5)
    }

    @Test(
        arguments: [
            ("12g", 11), ("12G", 11), ("50%", 49), ("100%", 99), ("0%", 0), ("999g", 99),
            ("0g", 0), ("1234567890123g", 99), ("5j", 20), ("5l", 5), ("99j", 96), ("50g3k", 37),
            ("999999999l", 99),
        ]
    )
    func `a number goes to that image or percentage, or repeats a movement`(
        keys: String,
        selection: Int
    ) {
        var gallery = Gallery()

        gallery.press(keys)

        #expect(gallery.state.grid.selection == selection)
        #expect(gallery.state.prompt.overlay == nil)
    }

    @Test(arguments: [(":12", 11), (":50%", 49), (": 7 ", 6), (":999", 99), (":", 0)])
    func `a number as a command goes to that image`(keys: String, selection: Int) {
        var gallery = Gallery()

        gallery.press(keys)
        #expect(gallery.lines.last?.hasPrefix(" :") == true)
        gallery.press(.enter)

        #expect(gallery.state.grid.selection == selection)
        #expect(gallery.state.prompt.overlay == nil)
    }

    @Test func `q is a command, and an unknown command is reported`() {
        var gallery = Gallery()

        gallery.press(":q")
        #expect(gallery.press(.enter) == [.quit])

        gallery.press(":sing")
        #expect(gallery.press(.enter).isEmpty)
        #expect(gallery.lines.last?.contains("! unknown command: sing") == true)
        gallery.press(":xy")
        #expect(gallery.press(.backspace, .backspace, .backspace).isEmpty)
        #expect(gallery.state.prompt.overlay == nil)
    }

    @Test func `a number can be corrected, confirmed by Enter, and cancelled`() {
        var gallery = Gallery()

        gallery.press("12")
        gallery.press(.backspace, .enter)
        #expect(gallery.state.grid.selection == 0)

        gallery.press("7")
        gallery.press(.escape)
        gallery.press("20w")
        #expect(gallery.state.grid.selection == 0)
        #expect(gallery.state.prompt.overlay == nil)
    }

    @Test(
        arguments: [
            ("c", Effect.cache(.clearMemory)), ("x", .cache(.cleanDisk)),
            ("X", .loading(.cancelAll)),
            ("z", .loading(.pause)), ("zjz", .loading(.resume)), ("q", .quit),
        ]
    )
    func `a command key is asked for its effect`(keys: String, effect: Effect) {
        var gallery = Gallery()

        #expect(gallery.press(keys).last == effect)
    }

    @Test func `a pause and its end are always reported`() {
        for columns in [200, 80, 40, 20] {
            var gallery = Gallery(columns: columns)

            gallery.press("z")
            #expect(gallery.lines.last?.contains(" paused") == true, "\(columns)")

            gallery.press("z")
            for _ in 0..<40 { gallery.send(.tick) }
            #expect(gallery.lines.last?.contains("paused") == false)
        }
    }

    @Test func `the disk cache is kept unless the answer is yes`() {
        var gallery = Gallery(columns: 120)
        var statistics = LoadingStatistics()
        statistics.diskCache.entryCount = 412
        statistics.diskCache.byteCount = 96_000_000
        gallery.send(.statistics(.loading(statistics)))

        for (columns, question) in [
            (120, " Clear the disk cache: 412 images, 96 MB?  Type yes, then Enter: "),
            (60, " Clear the disk cache (96 MB)?  Type yes, Enter: "),
            (40, " Clear the disk?  yes, Enter: "), (24, " Clear disk? yes: "),
            (20, " Clear? yes: "),
        ] {
            gallery.send(.resize(ScreenSize(columns: columns, rows: 24)))
            #expect(gallery.press("C").isEmpty)
            #expect(gallery.lines.last?.hasPrefix(question.dropLast()) == true, "\(columns)")
            #expect(gallery.press("y").isEmpty)
            #expect(gallery.lines.last?.hasPrefix(question + "y") == true, "\(columns)")
            #expect(gallery.press(.enter).isEmpty)
            #expect(gallery.lines.last?.contains("the disk c") == true, "\(columns)")
        }
        gallery.press("C")
        #expect(gallery.press(.escape).isEmpty)
        #expect(gallery.state.prompt.overlay == nil)

        gallery.press("Cyes")
        #expect(gallery.press(.enter) == [.cache(.clearDisk)])
    }

    @Test func `redraw and suspend work in every mode`() {
        for keys in ["", "?", "C", "5", " ", "s"] {
            var gallery = Gallery()
            gallery.press(keys)

            #expect(gallery.press(.control("l")) == [.redraw], "\(keys)")
            #expect(gallery.press(.control("z")) == [.suspend], "\(keys)")
        }
    }

    @Test func `an unbound key is reported`() {
        var gallery = Gallery()

        gallery.press("é")

        #expect(gallery.lines.last?.hasPrefix(" 1/100  no such key: é  ") == true)
        #expect(gallery.lines.last?.hasSuffix("? help") == true)
    }

    @Test func `Alt with a key does not have the effect of the key, and is reported`() {
        for (key, name) in [
            (Key.character("c"), "Alt-c"), (.enter, "Alt-enter"), (.down, "Alt-down"),
        ] {
            var gallery = Gallery()
            #expect(gallery.press(.alt(key)).isEmpty)
            #expect(gallery.lines.last?.contains("no such key: \(name)") == true)
            #expect(gallery.state.detail == nil && gallery.state.grid.selection == 0)
        }
    }

    @Test func `Esc in the grid is silent if there is nothing to go back from`() {
        var gallery = Gallery()
        #expect(gallery.press(.escape).isEmpty)
        #expect(gallery.state.notice == nil)
    }

    @Test func `Alt has names for the configuration`() {
        #expect(Key(configurationName: "alt-c") == .alt(.character("c")))
        #expect(Key(configurationName: "Alt-C") == .alt(.character("C")))
        #expect(Key(configurationName: "alt-page-down") == .alt(.pageDown))
        #expect(Key(configurationName: "alt-") == nil)
    }

    @Test func `no key is bound twice in a mode, and each is in the help`() {
        for table in [KeyTable.grid, .detail] {
            let keys = table.bindings.flatMap(\.keys)
            #expect(Set(keys).count == keys.count)
        }
        let help = KeyTable.groups.flatMap(\.bindings)
        #expect(Set(help) == Set(KeyTable.grid.bindings + KeyTable.detail.bindings))
        #expect(help.allSatisfy { ($0.help == nil) == $0.label.isEmpty })
    }

    @Test func `images change in steps of a column, keeping the selection on the screen`() {
        var gallery = Gallery(tileWidth: nil)
        gallery.press("50g")
        #expect(gallery.state.grid.layout.columns == 3)

        for columns in [2, 1] {
            gallery.press("]")
            #expect(gallery.state.grid.layout.columns == columns)
            #expect(gallery.state.visibleItems.contains(49))
        }
        #expect(gallery.press("]").isEmpty)
        #expect(gallery.lines.last?.contains("already the largest images") == true)

        for columns in 2...5 {
            gallery.press("[")
            #expect(gallery.state.grid.layout.columns == columns)
            #expect(gallery.state.visibleItems.contains(49))
        }
        #expect(gallery.press("[").isEmpty)
        #expect(gallery.lines.last?.contains("already the smallest images") == true)
    }

    @Test func `a chosen width is remembered, and the default width is not`() {
        var gallery = Gallery(tileWidth: nil)

        #expect(gallery.press("[").last == .rememberTileWidth(17))
        #expect(gallery.press("]").last == .rememberTileWidth(nil))
        #expect(gallery.press("]").last == .rememberTileWidth(37))

        gallery.send(.resize(ScreenSize(columns: 200, rows: 60)))
        #expect(gallery.state.grid.layout.columns == 5)
    }

    @Test func `a click selects, a double click opens, the wheel scrolls a row`() {
        var gallery = Gallery()

        gallery.send(.input(.mouse(.press(row: 15, column: 45))))
        #expect(gallery.state.grid.selection == 6)

        gallery.send(.input(.mouse(.wheelDown)))
        #expect(gallery.state.grid.topRow == 1)
        #expect(gallery.state.grid.selection == 10)

        let effects = gallery.send(.input(.mouse(.doublePress(row: 2, column: 5))))
        #expect(effects == [.detail(.open(item: 4, refreshing: false))])
    }

    @Test func `a click outside the tiles does nothing`() {
        var gallery = Gallery(count: 2)

        #expect(gallery.send(.input(.mouse(.press(row: 15, column: 45)))).isEmpty)
        #expect(gallery.send(.input(.mouse(.doublePress(row: 23, column: 0)))).isEmpty)
        #expect(gallery.state.grid.selection == 0)
    }

    @Test func `pasted text is not a command, and its digits go to the prompt`() {
        var gallery = Gallery()

        #expect(gallery.send(.input(.paste("jcCyX\nq"))).isEmpty)
        #expect(gallery.state.grid.selection == 0 && gallery.state.prompt.overlay == nil)

        gallery.press("1")
        gallery.send(.input(.paste("2x\n\u{661}")))
        gallery.send(.input(.key(.enter)))
        #expect(gallery.state.grid.selection == 11)
    }

    @Test func `keys are harmless before a feed is loaded`() {
        var state = GalleryState(capabilities: .color, settings: GallerySettings())

        for key in "hjklgG:5g ]r[baRXnp+-0" { _ = state.update(.input(.key(.character(key)))) }
        _ = state.update(.input(.key(.pageDown)))

        #expect(state.grid.selection == 0)
        #expect(state.detail == nil)
    }

    /// In an open image, each letter of `:clear` was a key of its own, and `c` cleared the memory
    /// cache.
    @Test(arguments: [":", "/", "f"])
    func `a line of text in an open image returns to the grid, where it is typed`(
        key: Character
    ) {
        var gallery = Gallery()
        gallery.press(.enter)

        let effects = gallery.send(.input(.key(.character(key))))
        let typed = "clear".flatMap { gallery.send(.input(.key(.character($0)))) }

        #expect(effects == [.detail(.close)])
        #expect(typed.allSatisfy { $0 != .cache(.clearMemory) })
        #expect(gallery.lines.last?.contains("clear") == true)
    }
}
