import ImageLoadingTesting
import Testing
import VirtualTerminal

@testable import TerminalUI

/// Answers of a terminal between keys, cut anywhere.
@Suite struct TerminalReplyTests {
    @Test(arguments: [
        ("\u{1B}[?62;22c", TerminalReply.sequence("?62;22c")),
        ("\u{1B}[6;18;9t", .sequence("6;18;9t")), ("\u{1B}[?2026;2$y", .sequence("?2026;2$y")),
        ("\u{1B}P>|kitty(0.47.4)\u{1B}\\", .string(.deviceControl, ">|kitty(0.47.4)")),
        ("\u{1B}_Gi=31;OK\u{1B}\\", .string(.applicationCommand, "Gi=31;OK")),
        ("\u{1B}]11;rgb:0/0/0\u{7}", .string(.systemCommand, "11;rgb:0/0/0")),
        ("\u{1B}^note\u{1B}\\", .string(.privacyMessage, "note")),
        ("\u{1B}Xnote\u{1B}\\", .string(.startOfString, "note")),
        ("\u{1B}]2;日本\u{9C}", .string(.systemCommand, "2;日本")),
    ])
    func `a response is delivered and presses no keys`(bytes: String, reply: TerminalReply) {
        for expectsReplies in [true, false] {
            let stream = DecodedStream([bytes + "q"], expectsReplies: expectsReplies)

            #expect(stream.replies == [reply] && stream.events == [.key(.character("q"))])
        }
    }

    @Test(arguments: KnownTerminal.all.indices)
    func `responses cut at any byte and mixed with keys give the same responses and keys`(
        index: Int
    ) {
        let keys = ["j", "\u{1B}[A", "\r", "\u{1B}OB", "é", "\u{1B}", "\u{1B}[<0;4;5M"]
        let replies = KnownTerminal.all[index].replies
        let mixed = zip(replies, 0...).map { $0 + keys[$1 % keys.count] }.joined()
        let stream = mixed + "\u{1B}[200~q\u{1B}[A\rc\u{1B}[201~" + "\u{1B}"
        let scalars = Array(stream.unicodeScalars)
        let whole = DecodedStream([stream])
        #expect(whole.replies.count == replies.count && whole.events.count == replies.count + 2)

        for cut in scalars.indices {
            let pieces = [scalars[..<cut], scalars[cut...]].map(Self.text)
            #expect(DecodedStream(pieces) == whole, "cut at \(cut)")
        }
        let bytes = scalars.map { Self.text([$0]) }
        #expect(DecodedStream(bytes, pause: .milliseconds(5)) == whole)
    }

    @Test func `Esc is a key immediately if no response is expected, else after 100 ms`() {
        var decoder = InputDecoder()
        #expect(decoder.take(.character(0x1B), now: .zero).isEmpty)
        #expect(decoder.endOfReading() == [.key(.escape)] && decoder.deadline == nil)

        decoder.expectsReplies = true
        #expect(decoder.take(.character(0x1B), now: .seconds(1)).isEmpty)
        #expect(decoder.endOfReading().isEmpty && decoder.deadline == .milliseconds(1100))
        #expect(decoder.expire(now: .milliseconds(1099)).isEmpty)
        #expect(decoder.expire(now: .milliseconds(1100)) == [.key(.escape)])
    }

    @Test(arguments: [
        ("\u{1B}P>|kit", "j"), ("\u{1B}_Gi=31;O", "\u{1B}[B"), ("\u{1B}[?62;", "\r"),
        ("\u{1B}]11;rgb:1c", "c"), ("\u{1B}P>|kitty(0.47.4)\u{1B}", "q"),
    ])
    func `half a response without more bytes is dropped after half a second`(
        half: String,
        key: String
    ) {
        let stream = DecodedStream([half, "", key], pause: .milliseconds(500))
        let plain = DecodedStream([key])

        #expect(stream.replies.isEmpty)
        #expect(stream.events.last == plain.events.last)
        #expect(stream.events.count <= 2)
    }

    @Test(arguments: ["\r", "\u{1B}[A", "\u{1B}[5~", "\u{C}"])
    func `a byte that cannot be in a response ends half a response immediately`(key: String) {
        let stream = DecodedStream(["\u{1B}P>|kit" + key])

        #expect(stream.replies.isEmpty && stream.events == DecodedStream([key]).events)
        #expect(stream.events.count == 1)
    }

    @Test func `fast typing after half a response gives keys again`() {
        let pieces = ["\u{1B}P>|kit"] + Array(repeating: "j", count: 100)
        let stream = DecodedStream(pieces, pause: .milliseconds(30))

        #expect(stream.events.count > 25 && stream.replies.isEmpty)
        #expect(stream.events.allSatisfy { $0 == .key(.character("j")) })
    }

    @Test func `a response without an end takes no memory and presses no keys`() {
        let flood = String(repeating: "q", count: 100_000)
        for start in ["\u{1B}P", "\u{1B}[?"] {
            let body = start == "\u{1B}P" ? flood : String(repeating: "1", count: 100_000)
            let stream = DecodedStream([start + body + "\u{1B}\\", "j"])

            #expect(stream.replies.isEmpty)
            #expect(stream.events.last == .key(.character("j")) && stream.events.count <= 3)
        }
    }

    @Test(arguments: ["P", "[", "O", "]", "_"])
    func `Alt with the start of a sequence is one key with Alt`(character: Character) {
        let pieces = ["\u{1B}\(character)", "", "q"]
        let stream = DecodedStream(pieces, pause: .milliseconds(300))

        #expect(stream.events == [.key(.alt(.character(character))), .key(.character("q"))])
    }

    @Test func `pasted text is one event without control characters`() {
        let stream = DecodedStream(["\u{1B}[200~cX\u{3}\u{1B}[Bq\rlast\ttäb\u{1B}[201~j"])

        #expect(stream.events == [.paste("cX[Bq\nlast\ttäb"), .key(.character("j"))])
    }

    @Test func `a paste without an end mark ends after 1 s without bytes`() {
        var decoder = InputDecoder()
        for scalar in "\u{1B}[200~qqq".unicodeScalars {
            #expect(decoder.take(.character(scalar.value), now: .zero).isEmpty)
        }
        #expect(decoder.take(.code(CursesKeyCode.up), now: .seconds(2)).isEmpty)
        #expect(decoder.expire(now: .milliseconds(2999)).isEmpty)
        #expect(decoder.expire(now: .seconds(3)) == [.paste("qqq")])
        #expect(decoder.take(.character(0x6A), now: .seconds(3)) == [.key(.character("j"))])
    }

    @Test func `a paste ends after 2^20 characters, and its rest is not keys`() {
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        for scalar in "\u{1B}[200~".unicodeScalars {
            events += decoder.take(.character(scalar.value), now: .zero)
        }
        for _ in 0..<1 << 20 { events += decoder.take(.character(0x71), now: .zero) }
        #expect(events.count == 1)
        events = decoder.take(.character(0x71), now: .zero)
        #expect(events.isEmpty)
        #expect(decoder.expire(now: .seconds(1)).isEmpty)
        #expect(decoder.take(.character(0x6A), now: .seconds(1)) == [.key(.character("j"))])
    }

    @Test func `only the beginning of a pasted book is kept`() {
        let book = String(repeating: "word ", count: 50_000)
        let stream = DecodedStream(["\u{1B}[200~\(book)\u{1B}[201~q"])

        guard case .paste(let text)? = stream.events.first else { Issue.record(); return }
        #expect(text.count == 65_536 && stream.events.count == 2)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `keys between responses are the typed keys, at any bytes`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var stream = ""
        var events: [InputEvent] = []
        var count = 0
        for _ in 0..<30 {
            if Bool.random(using: &generator) {
                let key = "hjklqcX0 é日".randomElement(using: &generator) ?? "h"
                stream.append(key)
                events.append(.key(.character(key)))
            } else {
                stream += Self.reply(&generator)
                count += 1
            }
        }
        let pieces = Self.cut(stream, &generator)

        let decoded = DecodedStream(pieces, pause: .milliseconds(20))

        #expect(decoded.events == events && decoded.replies.count == count, "\(pieces)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `after any garbage and a pause a key is that key`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var decoder = InputDecoder()
        decoder.expectsReplies = Bool.random(using: &generator)
        let parts: [CursesKey] =
            "\u{1B}\u{1B}\u{1B}[P_]^XO\\<M;?0126~c\u{7}\u{18}\u{9C}q".unicodeScalars
            .map { .character($0.value) } + [
                .code(CursesKey.mouse), .code(CursesKey.oldMouse), .code(CursesKeyCode.up),
                .character(0xFFFF_FFFF),
            ]
        for step in 0..<300 {
            let now = Duration.milliseconds(step)
            _ = decoder.take(parts.randomElement(using: &generator) ?? parts[0], now: now)
            if Int.random(in: 0..<9, using: &generator) == 0 { _ = decoder.endOfReading() }
        }

        _ = decoder.expire(now: .seconds(10))
        #expect(decoder.deadline == nil)
        #expect(decoder.take(.character(0x6A), now: .seconds(10)) == [.key(.character("j"))])
    }

    private static func reply(_ generator: inout SeededGenerator) -> String {
        let length = Int.random(in: 1...40, using: &generator)
        let isSequence = Bool.random(using: &generator)
        let characters = Array(isSequence ? "0123456789;?>$" : "abcqXz0189;:=/|\\[]é")
        let body = String(
            (0..<length).map { _ in characters.randomElement(using: &generator) ?? "0" }
        )
        if isSequence {
            return "\u{1B}[?\(body)"
                + (["c", "t", "y", "n"].randomElement(using: &generator) ?? "c")
        }
        let introducer = ["P", "_", "]", "^", "X"].randomElement(using: &generator) ?? "P"
        return "\u{1B}\(introducer)\(body)"
            + (Bool.random(using: &generator) ? "\u{7}" : "\u{1B}\\")
    }

    private static func cut(_ stream: String, _ generator: inout SeededGenerator) -> [String] {
        var rest = Array(stream.unicodeScalars)[...]
        var pieces: [String] = []
        while !rest.isEmpty {
            let length = Int.random(in: 1...30, using: &generator)
            pieces.append(text(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}

/// ncurses' numbers, for tests that don't import it.
enum CursesKeyCode {
    static let up: Int32 = 0o403
}
