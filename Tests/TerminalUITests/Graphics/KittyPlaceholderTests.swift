import Testing

@testable import TerminalUI

@Suite struct KittyPlaceholderTests {
    @Test func `a cell has a mark for its row and one for its column`() {
        let cell = KittyPlaceholder.cell(id: 42, row: 0, column: 1)

        #expect(cell == ["\u{10EEEE}", "\u{0305}", "\u{030D}"])
    }

    @Test func `an identifier above 24 bits gets a third mark`() {
        let cell = KittyPlaceholder.cell(id: 2 << 24 | 42, row: 1, column: 0)

        #expect(cell == ["\u{10EEEE}", "\u{030D}", "\u{0305}", "\u{030E}"])
    }

    @Test func `the color contains the lower bytes of the identifier`() {
        let color = KittyPlaceholder.foreground(id: 0x0401_02FF)

        #expect(color == (0x01, 0x02, 0xFF))
    }

    @Test func `297 rows and columns have marks, as in kitty's list`() throws {
        #expect(KittyPlaceholder.limit == 297)
        let last = try #require(KittyPlaceholder.cell(id: 1, row: 296, column: 0))
        #expect(last == ["\u{10EEEE}", "\u{1D244}", "\u{0305}"])
        #expect(KittyPlaceholder.cell(id: 1, row: 297, column: 0) == nil)
        #expect(KittyPlaceholder.cell(id: 1, row: 0, column: -1) == nil)
    }

    @Test func `every mark is a different combining character without a decomposition`() throws {
        let marks = try (0..<297).map { row in
            try #require(KittyPlaceholder.cell(id: 1, row: row, column: 0)?[1])
        }

        #expect(Set(marks).count == 297)
        #expect(marks.allSatisfy { $0.properties.canonicalCombiningClass == .above })
    }
}
