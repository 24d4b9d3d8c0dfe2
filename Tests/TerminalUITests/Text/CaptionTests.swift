import ImageLoadingTesting
import Testing

@testable import TerminalUI

@Suite struct CaptionTests {
    private func shown(
        _ text: String,
        _ limit: Int,
        symbols: SymbolSet = .halfBlocks
    ) -> String {
        FrameText.caption(text, limit: limit, symbols: symbols).text
    }

    @Test(
        arguments: [
            ("boats-at-dusk-IMG_20240817.jpg", 30, "boats-at-dusk-IMG_20240817.jpg"),
            ("boats-at-dusk-IMG_20240817.jpg", 29, "boats-at-dusk-I…_20240817.jpg"),
            ("boats-at-dusk-IMG_20240817.jpg", 16, "boats-a…0817.jpg"),
            ("marigold-macro-0007.jpg", 20, "marigold-m…-0007.jpg"),
            ("Eiffel tower at night 12.jpeg", 20, "Eiffel towe… 12.jpeg"),
            ("a very long name without an end", 12, "a very … end"),
            ("photograph.of.the.archive", 12, "photogr…hive"), ("abcdef.png", 5, "ab…ng"),
            ("abcdef.png", 4, "abc…"), ("abcdef.png", 1, "…"), ("abcdef.png", 0, ""),
            ("12345678901234567890", 10, "1234…67890"), (".png", 3, ".p…"),
        ]
    )
    func `a caption keeps its beginning, its number and its extension`(
        name: String,
        limit: Int,
        expected: String
    ) {
        #expect(shown(name, limit) == expected)
    }

    @Test func `a wide character is not cut in two`() {
        #expect(shown("日本語の写真集その一.jpg", 14) == "日本語の….jpg")
        #expect(shown("日本語の写真集その一", 12) == "日本語…の一")
    }

    @Test func `in ASCII the cut is three dots, and below seven columns at the end`() {
        #expect(shown("boats-at-dusk-IMG_20240817.jpg", 16, symbols: .ascii) == "boats...0817.jpg")
        #expect(shown("abcdefgh.png", 7, symbols: .ascii) == "a...png")
        #expect(shown("abcdefgh.png", 6, symbols: .ascii) == "abc...")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a cut caption fills its columns, except half a wide character on each side`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let count = Int.random(in: 0...40, using: &generator)
            let characters = (0..<count).map { _ in
                "ab-_ .019日本한é👍".randomElement(using: &generator) ?? "x"
            }
            let text = FrameText(String(characters), symbols: .halfBlocks)
            let limit = Int.random(in: 0...40, using: &generator)

            let cut = FrameText.caption(String(characters), limit: limit, symbols: .halfBlocks)

            #expect(cut.width <= limit)
            #expect(cut.width >= min(text.width, limit) - 2)
            if text.width <= limit { #expect(cut == text) }
        }
    }
}
