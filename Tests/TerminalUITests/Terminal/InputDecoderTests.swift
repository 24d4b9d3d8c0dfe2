import CNCurses
import Testing

@testable import TerminalUI

@Suite struct InputDecoderTests {
    /// The events for characters of one reading.
    private func events(_ text: String, after: [CursesKey] = []) -> [InputEvent] {
        var decoder = InputDecoder()
        return read(text, after: after, with: &decoder, at: .zero)
    }

    private func read(
        _ text: String,
        after: [CursesKey] = [],
        with decoder: inout InputDecoder,
        at time: Duration
    ) -> [InputEvent] {
        let keys = after + text.unicodeScalars.map { CursesKey.character($0.value) }
        return keys.flatMap { decoder.take($0, now: time) } + decoder.endOfReading()
    }

    @Test(arguments: [
        ("a", [Key.character("a")]), ("é日", [.character("é"), .character("日")]),
        ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
        ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{C}", [.control("l")]),
        ("\u{0}", []), ("\u{9B}", []),
    ])
    func `characters become keys`(text: String, keys: [Key]) {
        #expect(events(text) == keys.map(InputEvent.key))
    }

    @Test(arguments: [
        ("\u{1B}c", Key.character("c")), ("\u{1B}q", .character("q")), ("\u{1B}\r", .enter),
        ("\u{1B}\u{7F}", .backspace), ("\u{1B}\u{4}", .control("d")), ("\u{1B}é", .character("é")),
    ])
    func `a key after Esc in one reading is a key with Alt`(text: String, key: Key) {
        #expect(events(text + "j") == [.key(.alt(key)), .key(.character("j"))])
    }

    @Test(arguments: ["\u{1B}", "\u{1B}]11;rgb\u{1B}"])
    func `an arrow key after Esc in one reading is an arrow key with Alt`(start: String) {
        var decoder = InputDecoder()
        let keys = start.unicodeScalars.map { CursesKey.character($0.value) } + [.code(KEY_UP)]
        #expect(keys.flatMap { decoder.take($0, now: .zero) } == [.key(.alt(.up))])
    }

    @Test(arguments: [("[", "A", [Key.up]), ("[", "5~", [.pageUp]), ("O", "C", [.right])])
    func `a sequence that pauses for 150 ms after its start is still one key`(
        start: String,
        rest: String,
        keys: [Key]
    ) {
        var decoder = InputDecoder()
        let first = read("\u{1B}" + start, with: &decoder, at: .zero)
        let paused = decoder.expire(now: .milliseconds(150))
        let second = read(rest, with: &decoder, at: .milliseconds(150))
        #expect(first.isEmpty && paused.isEmpty && second == keys.map(InputEvent.key))
    }

    @Test(arguments: ["[", "O", "P", "]", "_"])
    func `the start of a sequence that never continues is one key with Alt`(start: String) {
        var decoder = InputDecoder()
        let first = read("\u{1B}" + start, with: &decoder, at: .zero)
        let later = decoder.expire(now: .seconds(1))
        #expect(first.isEmpty && later == [.key(.alt(.character(Character(start))))])
    }

    @Test(arguments: ["\u{1B}[99;99X", "\u{1B}[?62;22c", "\u{1B}[I", "\u{1B}Ox", "\u{1B}[15;2~"])
    func `an unknown sequence presses no keys`(text: String) {
        #expect(events(text + "q") == [.key(.character("q"))])
    }

    @Test func `a sequence may be cut between readings`() {
        var decoder = InputDecoder()

        let first = read("\u{1B}[1;", with: &decoder, at: .zero)
        let second = read("5Pq", with: &decoder, at: .zero)

        #expect(first.isEmpty && second == [.key(.character("q"))])
    }

    @Test(arguments: [
        ("0;250;7M", [Mouse.press(row: 6, column: 249)]), ("4;1;1M", [.press(row: 0, column: 0)]),
        ("0;250;7m", []), ("64;1;1M", [.wheelUp]), ("65;1;1M", [.wheelDown]),
        ("2;5;5M", [.right(row: 4, column: 4)]),
        ("0;0;0M", []), ("0;99999999999999999999;1M", [.press(row: 0, column: 99_998)]),
        ("0;1M", []), ("0;1;1;1M", []), ("32;4;5M", [.drag(row: 4, column: 3)]),
        ("1;4;5M", [.middle(row: 4, column: 3)]), ("33;4;5M", [.middle(row: 4, column: 3)]),
        ("1;4;5m", []), ("35;4;5M", []), ("32;0;5M", []),
    ])
    func `mouse reports become events`(report: String, mouse: [Mouse]) {
        #expect(events(report, after: [.code(CursesKey.mouse)]) == mouse.map(InputEvent.mouse))
    }

    @Test func `mouse reports in the old form are understood`() {
        let button = events(" !\"", after: [.code(CursesKey.oldMouse)])
        let wheel = events("`!!", after: [.code(CursesKey.oldMouse)])

        #expect(button == [.mouse(.press(row: 1, column: 0))])
        #expect(wheel == [.mouse(.wheelUp)])
    }

    @Test func `two presses on one cell within 400 ms are a double press and a third is not`() {
        var clicks = ClickTracker()
        func press(_ milliseconds: Int, _ column: Int = 5) -> Mouse {
            clicks.press(row: 1, column: column, now: .milliseconds(milliseconds))
        }

        #expect(press(0) == .press(row: 1, column: 5))
        #expect(press(400) == .doublePress(row: 1, column: 5))
        #expect(press(500) == .press(row: 1, column: 5))
        #expect(press(600, 6) == .press(row: 1, column: 6))
        #expect(press(1001, 6) == .press(row: 1, column: 6))
    }
}
