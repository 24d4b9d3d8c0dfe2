import ImageLoadingTesting
import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct GraphemeClusterTests {
    private func clusters(_ text: String, limit: Int = .max) -> FrameText {
        FrameText(text, limit: limit, symbols: .halfBlocks, graphemeClusters: true)
    }

    @Test func `a cell's memory size stays small`() {
        #expect(MemoryLayout<FrameCell>.stride == 16)
    }

    @Test(
        arguments: [
            ("हि", 2), ("क्षि", 2), ("क्", 1), ("x̂", 1), ("日\u{301}", 2), ("👍🏽", 2), ("🇩🇪", 2),
            ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("👨‍👩‍👧‍👦", 2), ("👩🏽‍❤️‍💋‍👨🏻", 2), ("🏳️‍🌈", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
        ]
    )
    func `if the terminal keeps clusters together, each is one cell`(text: String, width: Int) {
        let shown = clusters(text)

        #expect(shown.width == width)
        #expect(shown.columns.filter { $0 != 0 }.count == 1)
        #expect(Array(shown.text.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(
        arguments: [
            // Joiners and tags that make no emoji, styles of letters, more than there is.
            ("a\u{200D}b", "ab"), ("a\u{FE0F}", "a"), ("🏴\u{E0067}x", "🏴x"), ("日\u{E0100}", "日"),
            ("👍\u{200D}", "👍"), ("👍\u{200D}\u{202E}x", "👍x"), ("❤\u{FE0E}", "❤"),
        ]
    )
    func `text without a sequence is cleaned as before`(text: String, expected: String) {
        #expect(Array(clusters(text).text.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func `in ASCII there are only question marks, one for each letter`() {
        for graphemeClusters in [false, true] {
            let text = FrameText(
                "é x̂ हि 👍🏽 🇩🇪",
                symbols: .ascii,
                graphemeClusters: graphemeClusters
            )
            #expect(text.text == "? x ?? ? DE")
        }
    }

    @Test func `a cut never leaves part of a cluster`() {
        for (text, limit, expected) in [
            ("aहिन्दी", 3, "a…"), ("aहिन्दी", 4, "aहि…"), ("क्षिक्षि", 4, "क्षि…"), ("क्षिक्षि", 3, "…"),
        ] {
            let cut = FrameText(text, limit: limit, symbols: .halfBlocks)
            #expect(cut.text == expected, "\(limit)")
        }
        #expect(clusters("👨‍👩‍👧👨‍👩‍👧", limit: 3).text == "👨‍👩‍👧…")
        let caption = FrameText.caption("हिन्दी-हिन्दी-0007.jpg", limit: 16, symbols: .halfBlocks)
        #expect(caption.text == "हिन्दी-…0007.jpg")
        let lines = WrappedText.lines(FrameText("हिन्दीहिन्दी", symbols: .halfBlocks), width: 4, limit: 5)
        #expect(lines.map(\.text) == ["हि", "न्दी", "हि", "न्दी"])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any text stays in its columns and starts each cell with a letter`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let scalars = Array(
            "a -日é👍👩🏽🇩🇪❤1#ि्हน้ำ한\u{200D}\u{FE0F}\u{20E3}\u{301}\u{1161}\u{11A8}\u{202E}\u{7}"
                .unicodeScalars
        )
        for _ in 0..<300 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                text.append(scalars.randomElement(using: &generator) ?? "x")
            }
            let limit = Int.random(in: 0...20, using: &generator)
            for graphemeClusters in [false, true] {
                let shown = FrameText(
                    String(text),
                    limit: limit,
                    symbols: .halfBlocks,
                    graphemeClusters: graphemeClusters
                )
                #expect(shown.width <= limit)
                check(shown.columns, "\(text) as \(shown.columns)")
            }
        }
    }

    private func check(_ columns: [UInt32], _ context: String) {
        for (index, column) in columns.enumerated() {
            let scalars = FrameCell.scalars(of: column)
            #expect(scalars.count <= GraphemeClusters.sequenceLimit, "\(context)")
            guard let first = scalars.first.flatMap(Unicode.Scalar.init) else {
                #expect(index > 0 && columns[index - 1] != 0, "\(context)")
                continue
            }
            #expect(CharacterWidth.columns(of: first) > 0, "\(context)")
            if index == 0 { #expect(!FrameCell.isContinuation(column), "\(context)") }
            for scalar in scalars.compactMap(Unicode.Scalar.init) {
                #expect(scalar.properties.generalCategory != .control, "\(context)")
                #expect(scalar != "\u{202E}", "\(context)")
            }
        }
    }

    @Test func `widths equal those in other programs`() throws {
        for (text, joined, single) in try Self.widths() {
            #expect(clusters(text).width == joined, "\(text), in clusters")
            guard let single else { continue }
            let alone = FrameText(text, symbols: .halfBlocks)
            #expect(alone.width == single, "\(text), scalar by scalar")
        }
    }

    /// Returns the width of each text in clusters and scalar by scalar.
    private static func widths() throws -> [(text: String, joined: Int, single: Int?)] {
        try Fixture("widths.tsv").table()
            .map { parts in
                (String(parts[0]), try #require(Int(parts[1])), Int(parts[2]))
            }
    }
}
