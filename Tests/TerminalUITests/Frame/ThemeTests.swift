import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct ThemeTests {
    private func capabilities(
        _ depth: ColorDepth,
        _ theme: ThemeChoice,
        _ terminal: TerminalColors? = nil
    ) -> ScreenCapabilities {
        var capabilities = ScreenCapabilities(colorDepth: depth, symbols: .halfBlocks)
        capabilities.theme = theme
        capabilities.terminalColors = terminal
        return capabilities
    }

    private static let black = TerminalColors(ground: .rgb(0, 0, 0), text: .rgb(200, 200, 200))
    private static let paper = TerminalColors(ground: .rgb(253, 246, 227))

    /// The ratio that WCAG asks of text.
    private func contrast(_ style: CellStyle) -> Double {
        RGB(style.foreground).contrast(to: RGB(style.background))
    }

    @Test(arguments: [ColorDepth.trueColor, .palette256], [ThemeChoice.dark, .light])
    func `text is readable on every surface`(depth: ColorDepth, choice: ThemeChoice) {
        let theme = Theme(capabilities(depth, choice))

        for tone in Theme.Tone.allCases where tone != .fromDisk && tone != .fromNetwork {
            for surface in Theme.Surface.allCases {
                let ratio = contrast(theme.style(tone, on: surface))
                let least = tone == .progress ? 1.7 : 4.4
                #expect(ratio >= least, "\(tone) on \(surface): \(ratio)")
            }
        }
        #expect(contrast(theme.frame) >= 4.5)
    }

    @Test func `surfaces next to each other differ in 256 colors too`() {
        for choice in [ThemeChoice.dark, .light] {
            let theme = Theme(capabilities(.palette256, choice))
            let grounds = [Theme.Surface.ground, .card, .raised].map {
                theme.surface($0).background
            }
            #expect(Set(grounds).count == 3)
        }
    }

    // Keep, maybe and reject, as the labels are named by default.
    @Test(arguments: [ColorDepth.trueColor, .palette256], [ThemeChoice.dark, .light])
    func `labels 1, 2 and 3 are green, yellow and red`(depth: ColorDepth, choice: ThemeChoice) {
        let theme = Theme(capabilities(depth, choice))
        let colors = [1, 2, 3].map { RGB(theme.badge(label: $0, onBar: false).background) }
        #expect(colors[0].green > max(colors[0].red, colors[0].blue), "\(colors[0])")
        #expect(min(colors[1].red, colors[1].green) > colors[1].blue, "\(colors[1])")
        #expect(colors[2].red > 3 * max(colors[2].green, colors[2].blue) / 2, "\(colors[2])")
    }

    @Test func `labels 1, 2 and 3 are green, yellow and red with 16 colors too`() {
        for choice in [ThemeChoice.dark, .light] {
            let theme = Theme(capabilities(.ansi16, choice))
            let grounds = [1, 2, 3].map { theme.badge(label: $0, onBar: false).background }
            #expect(grounds == [.palette(2), .palette(3), .palette(1)])
        }
    }

    @Test func `auto follows the terminal's background, and is dark if it is unknown`() {
        #expect(Theme(capabilities(.trueColor, .auto)) == Theme(capabilities(.trueColor, .dark)))
        let light = Theme(capabilities(.trueColor, .light)).style(.caption)
        #expect(Theme(capabilities(.trueColor, .auto, Self.paper)).style(.caption) == light)
        let dark = Theme(capabilities(.trueColor, .dark)).style(.caption)
        #expect(Theme(capabilities(.trueColor, .auto, Self.black)).style(.caption) == dark)
    }

    @Test func `the terminal's own background and text stay, and the rest is mixed from them`() {
        for terminal in [Self.black, Self.paper] {
            let theme = Theme(capabilities(.trueColor, .terminal, terminal))
            #expect(theme.style(.caption) == .plain)
            #expect(theme.surface(.card).background != .terminalDefault)
            #expect(contrast(theme.style(.dim, on: .raised)) >= 4.5)
        }
        // Nothing to mix from.
        let theme = Theme(capabilities(.trueColor, .terminal))
        #expect(!theme.hasSurfaces)
        #expect(theme.surface(.card) == .plain)
    }

    @Test func `the user's own colors replace the theme's`() throws {
        var own = capabilities(.trueColor, .dark)
        own.colors = [
            .accent: .rgb(1, 2, 3), .ground: try #require(CellColor(hexadecimal: "#fff")),
        ]
        #expect(Theme(own).style(.accent).foreground == .rgb(1, 2, 3))
        #expect(Theme(own).surface(.ground).background == .rgb(255, 255, 255))
        #expect(
            Theme(own).style(.dim, on: .card)
                == Theme(capabilities(.trueColor, .dark)).style(.dim, on: .card)
        )
        // A ground of one's own is drawn, where otherwise the terminal's is left.
        own.theme = .terminal
        own.terminalColors = Self.black
        #expect(Theme(own).surface(.ground).background == .rgb(255, 255, 255))
        // With few colors, the terminal's own palette applies.
        var few = capabilities(.ansi16, .dark)
        few.colors = own.colors
        #expect(Theme(few) == Theme(capabilities(.ansi16, .dark)))
    }

    @Test(arguments: ["", "#", "fff", "#ff", "#ggg", "#12345", "#1234567", "#１２３"])
    func `an invalid color is rejected`(text: String) {
        #expect(CellColor(hexadecimal: text) == nil)
    }

    @Test func `without colors attributes distinguish things`() {
        let theme = Theme(capabilities(.monochrome, .auto))

        for surface in Theme.Surface.allCases {
            for tone in Theme.Tone.allCases {
                let style = theme.style(tone, on: surface)
                #expect(style.foreground == .terminalDefault)
                #expect(style.background == .terminalDefault)
            }
        }
        #expect(theme.surface(.selection).attributes == .reverse)
        #expect(theme.surface(.raised).attributes == .reverse)
        #expect(theme.style(.failure).attributes == .bold)
    }

    // Gray is black in some color schemes, and bold black with eight colors.
    @Test func `with 16 colors no text is in color 8`() {
        for choice in [ThemeChoice.dark, .light] {
            let theme = Theme(capabilities(.ansi16, choice))
            for surface in Theme.Surface.allCases {
                for tone in Theme.Tone.allCases {
                    let style = theme.style(tone, on: surface)
                    #expect(style.foreground != .palette(8) && style.background != .palette(8))
                    #expect(
                        style.foreground != style.background || style == .plain
                            || style.foreground == .terminalDefault
                    )
                }
            }
        }
    }
}
