import Testing

@testable import TerminalUI

@Suite struct ScreenProfileTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var environment: TerminalEnvironment
        var colors: Int
        var depth: ColorDepth
        var painter: ScreenProfile.PainterKind
        var testDescription: String { "\(environment) with \(colors) colors" }
    }

    static let rows: [Row] = [
        row("xterm-256color", 256, .palette256, .curses),
        row("xterm-256color", 256, .trueColor, .direct) { $0.colorTerm = "truecolor" },
        row("xterm-256color", 256, .trueColor, .direct) { $0.colorTerm = "24bit" },
        row("xterm-256color", 256, .palette256, .curses) { $0.colorTerm = "yes" },
        row("xterm-direct", 1 << 24, .trueColor, .direct),
        row("xterm-direct", 256, .trueColor, .direct),
        row("tmux-256color", 256, .trueColor, .direct),
        row("screen-256color", 256, .trueColor, .direct) { $0.isInsideTmux = true },
        row("screen-256color", 256, .palette256, .curses) { $0.colorTerm = "truecolor" },
        row("xterm-kitty", 256, .trueColor, .direct),
        row("xterm-256color", 256, .trueColor, .direct) { $0.termProgram = "iTerm.app" },
        row("xterm-256color", 256, .palette256, .curses) { $0.termProgram = "Apple_Terminal" },
        row("xterm", 8, .palette256, .direct), row("xterm-color", 8, .palette256, .direct),
        row("konsole", 8, .palette256, .direct), row("rxvt", 8, .ansi16, .curses),
        row("xterm-16color", 16, .ansi16, .curses),
        row("vt100", -1, .monochrome, .curses),
        row("linux", 8, .ansi16, .curses),
        row("xterm-256color", 256, .monochrome, .curses) {
            $0.refusesColor = true
            $0.colorTerm = "truecolor"
        },
    ]

    @Test(arguments: rows)
    func `colors and painter follow from the environment and terminfo`(row: Row) {
        let profile = ScreenProfile(environment: row.environment, terminfoColors: row.colors)

        #expect(profile.capabilities.colorDepth == row.depth)
        #expect(profile.painter == row.painter)
        #expect(profile.reasons.count == 4)
    }

    @Test(arguments: [
        ("UTF-8", SymbolSet.halfBlocks), ("utf8", .halfBlocks), ("ANSI_X3.4-1968", .ascii),
        ("ISO-8859-1", .ascii), ("", .ascii),
    ])
    func `symbols follow from the locale`(codeset: String, symbols: SymbolSet) {
        let environment = TerminalEnvironment(term: "xterm", codeset: codeset)

        let profile = ScreenProfile(environment: environment, terminfoColors: 8)

        #expect(profile.capabilities.symbols == symbols)
    }

    @Test func `without colors images are dots, but not on the Linux console, which has none`() {
        func symbols(_ term: String, _ codeset: String = "UTF-8") -> SymbolSet {
            let environment = TerminalEnvironment(
                term: term,
                refusesColor: true,
                codeset: codeset
            )
            let profile = ScreenProfile(environment: environment, terminfoColors: 8)
            return profile.capabilities.symbols
        }

        #expect(symbols("xterm") == .braille)
        #expect(symbols("linux") == .ascii)
        #expect(symbols("xterm", "C") == .ascii)
    }

    @Test func `a locale that isn't installed is named in the reason`() {
        func reasons(_ codeset: String) -> String {
            let environment = TerminalEnvironment(
                term: "xterm",
                codeset: codeset,
                missingLocale: "de_DE"
            )
            let profile = ScreenProfile(
                environment: environment,
                terminfoColors: 8,
                overrides: ScreenOverrides()
            )
            return profile.reasons.joined(separator: "\n")
        }

        #expect(reasons("UTF-8").contains("UTF-8; the locale de_DE is not installed"))
        #expect(
            reasons("C").contains("de_DE is not installed, and its name does not contain UTF-8")
        )
    }

    @Test(arguments: [
        (ColorDepth.palette256, 8, ScreenProfile.PainterKind.direct),
        (.palette256, 256, .curses), (.ansi16, 256, .curses), (.ansi16, -1, .direct),
        (.monochrome, 256, .curses), (.trueColor, 8, .direct), (.palette256, 1 << 24, .direct),
    ])
    func `an explicit choice takes precedence and gets a painter that supports it`(
        depth: ColorDepth,
        colors: Int,
        painter: ScreenProfile.PainterKind
    ) {
        let profile = ScreenProfile(
            environment: TerminalEnvironment(term: "x", refusesColor: true, codeset: "C"),
            terminfoColors: colors,
            overrides: ScreenOverrides(colorDepth: depth, symbols: .halfBlocks)
        )

        #expect(profile.capabilities == .init(colorDepth: depth, symbols: .halfBlocks))
        #expect(profile.painter == painter)
    }

    private static func row(
        _ term: String,
        _ colors: Int,
        _ depth: ColorDepth,
        _ painter: ScreenProfile.PainterKind,
        _ change: (inout TerminalEnvironment) -> Void = { _ in }
    ) -> Row {
        var environment = TerminalEnvironment(term: term)
        change(&environment)
        return Row(environment: environment, colors: colors, depth: depth, painter: painter)
    }
}
