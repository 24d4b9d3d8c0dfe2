import Testing

@testable import TerminalUI

@Suite struct StandardSymbolTests {
    @Test(
        arguments: [
            ("kitty", "0.47.0", SymbolSet.octants), ("kitty", "0.40.0", .octants),
            ("kitty", "0.39.1", .sextants), ("kitty", "0.26.5", .sextants),
            ("kitty", "0.19.2", .quadrants), ("kitty", "", .quadrants),
            ("foot", "1.26.0", .octants), ("foot", "1.20.1", .octants),
            ("foot", "1.20.0", .quadrants), ("foot", "1.13.1", .sextants),
            ("foot", "1.6.4", .quadrants), ("ghostty", "1.1.0", .sextants),
            ("ghostty", "1.3.1", .octants), ("WezTerm", "20240203-110809-5046fc22", .sextants),
            ("WezTerm", "20250620-133048-b5d4a6a1", .octants), ("Contour", "0.7.0.8982", .sextants),
            ("Rio", "0.2.20", .quadrants), ("rio", "0.5.25", .octants),
            ("alacritty", "", .quadrants), ("Alacritty", "0.17.0", .sextants),
            ("Konsole", "22.12.3", .sextants), ("Konsole", "21.12.1", .halfBlocks),
            ("VTE", "7003", .sextants), ("VTE", "7802", .octants), ("VTE", "", .halfBlocks),
        ]
    )
    func `a terminal gets the finest symbols that it draws itself`(
        name: String,
        version: String,
        symbols: SymbolSet
    ) {
        #expect(SymbolSet.standard(terminalName: name, version: version) == symbols)
    }

    @Test(
        arguments: [
            ("XTerm", "379"), ("tmux", "3.4"), ("", ""), ("kitty2", "9"), ("\u{1B}[", "\u{1B}"),
            ("mintty", "3.7.0"),
        ]
    )
    func `other terminals get half blocks`(name: String, version: String) {
        #expect(SymbolSet.standard(terminalName: name, version: version) == .halfBlocks)
    }

    @Test func `a huge version number is recent, and an invalid one is ignored`() {
        let huge = String(repeating: "9", count: 400)
        #expect(SymbolSet.standard(terminalName: "kitty", version: huge) == .octants)
        #expect(SymbolSet.standard(terminalName: "kitty", version: "git-abc") == .quadrants)
    }
}
