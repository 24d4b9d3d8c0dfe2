import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct KeyChangesTests {
    @Test func `every action has its own name`() {
        let actions = Set(KeyTable.groups.flatMap(\.bindings).map(\.action))

        #expect(Set(actions.map(\.configurationName)).count == actions.count)
        #expect(KeyChanges.actionNames.contains("page-down"))
        #expect(KeyChanges.actionNames.contains("zoom-in"))
        #expect(
            actions.allSatisfy { action in
                action.configurationName.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber }
            }
        )
    }

    @Test(arguments: [
        ("j", Key.character("j")), ("J", .character("J")), ("space", .character(" ")),
        ("ctrl-d", .control("d")), ("Ctrl-D", .control("d")), ("^u", .control("u")),
        ("ctrl-m", .enter), ("PgDn", .pageDown), ("page-up", .pageUp), ("esc", .escape),
        ("-", .character("-")), ("^", .character("^")), ("é", .character("é")),
        ("tab", .control("i")),
    ])
    func `a key has its name`(name: String, key: Key) {
        #expect(Key(configurationName: name) == key)
    }

    @Test(arguments: ["", "jj", "ctrl-", "ctrl-1", "\u{1B}", "\n", "\u{202E}", "spacebar", "f99"])
    func `an invalid key is rejected`(name: String) {
        #expect(Key(configurationName: name) == nil)
    }

    @Test func `an action gets its keys, and other actions lose them`() {
        let tables = KeyTables(
            KeyChanges(["clear-memory": [.character("j"), .control("x")], "quit": []])
        )

        #expect(tables.grid.action(for: .character("j")) == .clearMemory)
        #expect(tables.grid.action(for: .control("x")) == .clearMemory)
        #expect(tables.grid.action(for: .down) == .move(.down))
        #expect(tables.grid.action(for: .character("c")) == nil)
        #expect(tables.grid.action(for: .character("q")) == nil)
        // In the image view, only the requested keys change.
        #expect(tables.detail.action(for: .character("j")) == .clearMemory)
        #expect(tables.detail.action(for: .character("q")) == .close)
    }

    @Test func `the help shows the keys that are bound`() throws {
        let changes = KeyChanges([
            "clear-memory": [.character("j"), .control("x")], "quit": [], "left": [.character("y")],
        ])
        let bindings = KeyTables(changes).groups.flatMap(\.bindings)
        func label(_ action: GalleryAction) -> String? {
            bindings.first { $0.action == action && $0.help != nil }?.label
        }

        #expect(label(.clearMemory) == "j ^X")
        #expect(label(.quit) == "no key")
        #expect(label(.move(.left)) == "y ↓ ↑ k → l")
        #expect(label(.toggleHelp) == "?")
        #expect(bindings.count == KeyTable.groups.flatMap(\.bindings).count)
    }

    @Test func `two actions cannot have the same key in one view`() throws {
        let both = KeyChanges(["open": [.character("x")], "quit": [.character("x")]])
        #expect(both.conflict?.key == "x")
        // The one is of the grid, the other of the picture view.
        let apart = KeyChanges(["open": [.character("x")], "close": [.character("x")]])
        #expect(apart.conflict == nil)
    }

    @Test func `other keys apply immediately when the configuration is read again`() throws {
        var gallery = Gallery(count: 20)
        gallery.press(.character("y"))
        #expect(gallery.state.selectedItem == 0)

        var settings = GallerySettings()
        settings.keys = KeyChanges(["right": [.character("y")]])
        settings.theme = .light
        gallery.send(.settings(settings))
        gallery.press(.character("y"))

        #expect(gallery.state.selectedItem == 1)
        #expect(gallery.state.capabilities.theme == .light)
    }

    @Test func `a tile size chosen by hand outlives a configuration with the old size`() throws {
        var gallery = Gallery(count: 200)
        gallery.press(.character("["))
        let chosen = gallery.state.grid.tileWidth
        #expect(chosen != 17)

        gallery.send(.settings(GallerySettings(tileWidth: 17)))
        #expect(gallery.state.grid.tileWidth == chosen)
        gallery.send(.settings(GallerySettings(tileWidth: 40)))
        #expect(gallery.state.grid.tileWidth == 40)
    }

    @Test func `a failure names the key that tries again`() throws {
        var settings = GallerySettings(tileWidth: 17)
        settings.keys = KeyChanges(["retry": [.character("Z")]])
        var state = GalleryState(capabilities: .color, settings: settings)
        _ = state.update(.resize(ScreenSize(columns: 80, rows: 24)))
        let feed = Feed(items: [FeedItem(url: "http://h/1.jpg")], title: "t")
        _ = state.update(.feed(.success(feed)))
        _ = state.update(.slot(0, .failed(.notFound)))
        #expect(state.frame().lines.contains { $0.contains("Z tries again") })
        #expect(!state.frame().lines.contains { $0.contains("r tries again") })
    }

    @Test(arguments: [50, 120])
    func `the statistics name the key that closes them`(columns: Int) throws {
        var settings = GallerySettings()
        settings.keys = KeyChanges(["next-statistics": [.character("Z")]])
        var state = GalleryState(capabilities: .color, settings: settings)
        _ = state.update(.resize(ScreenSize(columns: columns, rows: 100)))
        _ = state.update(.input(.key(.character("Z"))))
        #expect(state.frame().lines.contains { $0.contains("Z closes") })
        #expect(!state.frame().lines.contains { $0.contains("s closes") })
    }
}
