extension SymbolSet {
    /// The symbols for a terminal, by the name and version that it gives when asked (XTVERSION).
    ///
    /// The finest that it draws itself, which fill their cells whatever its font has: of 39 pictures
    /// quadrants are 0.8 dB nearer to the original than half blocks, sextants 1.0 and octants 1.6.
    /// Without a version, as `TERM` gives it, what each version of the last years draws; half blocks
    /// in a terminal of any other name. What lies between, tmux or ncurses, may take fewer.
    public static func standard(terminalName: String, version: String) -> SymbolSet {
        let steps = drawn.first { $0.name == terminalName.lowercased() }?.steps ?? []
        let numbers = TerminalVersion(version)
        return steps.last { !(numbers < TerminalVersion($0.since)) }?.symbols ?? .halfBlocks
    }

    /// The symbols for a terminal of which nothing but its colours is known.
    ///
    /// Without colours dots show most: of 20 pictures in 24×9 cells they keep edges that letters of
    /// ASCII lose and blocks tear to specks.
    public static func standard(for depth: ColorDepth) -> SymbolSet {
        depth == .monochrome ? .braille : .halfBlocks
    }

    /// Since which version each terminal draws what, by their change logs and sources.
    private static let drawn: [(name: String, steps: [(since: String, symbols: SymbolSet)])] = [
        // It doesn't answer: its name comes from TERM, without a version.
        ("alacritty", [("", .quadrants), ("0.13.2", .sextants)]),
        ("contour", [("", .quadrants), ("0.2.2", .sextants)]),
        // 1.20.0 crashes when it is to draw a sextant.
        (
            "foot",
            [
                ("", .quadrants), ("1.7.0", .sextants), ("1.20.0", .quadrants),
                ("1.20.1", .octants),
            ]
        ),
        ("ghostty", [("", .quadrants), ("1.0.0", .sextants), ("1.1.1", .octants)]),
        // 0.19.0 drew three of the sextants wrong.
        ("kitty", [("", .quadrants), ("0.19.3", .sextants), ("0.40.0", .octants)]),
        ("konsole", [("", .halfBlocks), ("22.4", .sextants)]),
        ("rio", [("", .quadrants), ("0.2.21", .octants)]),
        // GNOME Terminal and its kin: 0.62.0 calls itself 6200.
        ("vte", [("", .halfBlocks), ("6200", .sextants), ("7800", .octants)]),
        ("wezterm", [("", .quadrants), ("20210814", .sextants), ("20250209", .octants)]),
    ]
}

/// The numbers of a version, "1.20.1" or "20240203-110809-5046fc22"; later ones are greater.
private struct TerminalVersion: Comparable {
    private let numbers: [Int]

    init(_ text: String) {
        numbers = text.split { !$0.isASCII || !$0.isNumber }.prefix(3).map { Int($0) ?? .max }
    }

    static func < (left: TerminalVersion, right: TerminalVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
