import Testing

@testable import TerminalUI

@Suite struct SymbolOfferTests {
    private static let all = SymbolSet.allCases
    private static let withoutOctants = all.filter { $0 != .octants }

    private struct Row: Sendable {
        var term: String
        var colors: Int
        var isInsideTmux = false
        var hasUnicode16: Bool
        var consoleFont: Set<UInt32>?
        var offered: [SymbolSet]
    }

    private static let rows = [
        Row(term: "xterm-direct", colors: 1 << 24, hasUnicode16: false, offered: all),
        Row(term: "xterm-256color", colors: 256, hasUnicode16: true, offered: all),
        Row(term: "xterm-256color", colors: 256, hasUnicode16: false, offered: withoutOctants),
        Row(
            term: "tmux-256color",
            colors: 256,
            isInsideTmux: true,
            hasUnicode16: false,
            offered: withoutOctants
        ),
        Row(term: "tmux-256color", colors: 256, hasUnicode16: true, offered: all),
        Row(
            term: "linux",
            colors: 8,
            hasUnicode16: true,
            consoleFont: ConsoleFontTests.kernel,
            offered: [.halfBlocks, .ascii]
        ),
    ]

    @Test(arguments: rows)
    private func `unsupported symbols are not offered`(row: Row) {
        let environment = TerminalEnvironment(
            term: row.term,
            isInsideTmux: row.isInsideTmux,
            hasUnicode16: row.hasUnicode16,
            consoleFont: row.consoleFont
        )

        let profile = ScreenProfile(environment: environment, terminfoColors: row.colors)

        #expect(profile.capabilities.symbols == .halfBlocks)
        #expect(profile.capabilities.offeredSymbols == row.offered)
    }

    @Test func `requested octants are not used with an ncurses that drops them`() {
        let environment = TerminalEnvironment(term: "xterm-256color", hasUnicode16: false)

        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: 256,
            overrides: ScreenOverrides(symbols: .octants)
        )

        #expect(profile.painter == .direct)
        #expect(profile.capabilities.offeredSymbols == Self.all)
    }

    @Test func `if the locale is not UTF-8 there is only ASCII, unless more is requested`() {
        let environment = TerminalEnvironment(term: "xterm", codeset: "C")

        let profile = ScreenProfile(environment: environment, terminfoColors: 8)
        #expect(profile.capabilities.offeredSymbols == [.ascii])

        let overrides = ScreenOverrides(symbols: .quadrants)
        let asked = ScreenProfile(
            environment: environment,
            terminfoColors: 8,
            overrides: overrides
        )
        #expect(asked.capabilities.offeredSymbols.contains(.quadrants))
    }

    @Test func `requested dithering takes precedence over the default for the colors`() {
        let environment = TerminalEnvironment(term: "xterm-256color")
        func profile(_ dithering: Dithering?) -> ScreenProfile {
            ScreenProfile(
                environment: environment,
                terminfoColors: 256,
                overrides: ScreenOverrides(dithering: dithering)
            )
        }

        #expect(profile(nil).capabilities.dithering == .diffusion)
        #expect(profile(Dithering.none).capabilities.dithering == .none)
    }
}
