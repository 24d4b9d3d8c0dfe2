import GalleryCore
import Testing
import VirtualTerminal

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

@Suite struct DoctorTests {
    private let entry = TerminfoEntry(
        name: "xterm-256color",
        colorCount: 256,
        canMoveCursor: true,
        isDirectColor: false,
        hasMouse: true
    )

    private func report(
        _ environment: TerminalEnvironment,
        entry: TerminfoEntry?,
        overrides: ScreenOverrides = ScreenOverrides(),
        answers: TerminalReplies? = nil,
        drawsColors: Bool = false
    ) -> DoctorReport {
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: entry?.colorCount ?? 0,
            overrides: overrides
        )
        let surroundings = TerminalSurroundings(profile: profile)
        let answered = answers ?? TerminalReplies()
        let detection = DetectionResult(
            problem: answers == nil ? "no terminal" : nil,
            asked: answers == nil ? [] : TerminalQuery.allCases,
            replies: answered,
            detected: TerminalCapabilities(answered, surroundings)
        )
        return DoctorReport(
            environment,
            entry: entry,
            profile: profile,
            detection: detection,
            drawsColors: drawsColors
        )
    }

    @Test func `the report states the queries, the replies and the resulting settings`() {
        let answers = KnownTerminal.konsole.answers
        let lines = report(
            TerminalEnvironment(term: "xterm-256color"),
            entry: entry,
            answers: answers,
            drawsColors: true
        )
        .texts

        #expect(lines.contains("  its name and version (XTVERSION): ESC P >|Konsole 22.12.3"))
        #expect(lines.contains { $0.hasPrefix("  no answer: ") && $0.contains("mode 2026") })
        #expect(lines.contains { $0.hasPrefix("pixels: kitty graphics: ") })
        #expect(lines.contains { $0.hasPrefix("24bit colors: ") })
        #expect(lines.contains("cell size 8x18 pixels: reported by the terminal"))
        #expect(lines.contains { $0.hasPrefix("direct painter: ") })
        #expect(!lines.contains { $0.hasPrefix("curses painter: ") })
        // The capability is known, so no test pattern is shown.
        #expect(!lines.contains { $0.contains("48;2;") })
    }

    @Test func `control sequences from the environment are escaped`() {
        let lines = report(TerminalEnvironment(term: "x\u{1B}]0;y\u{7}"), entry: nil).texts

        #expect(lines.first?.contains(#"x\u001b]0;y\u0007"#) == true)
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test func `a silent terminal is reported`() {
        let lines = report(
            TerminalEnvironment(term: "xterm-256color"),
            entry: entry,
            answers: TerminalReplies()
        )
        .texts

        #expect(lines.contains { $0.hasSuffix(" queries; no answer") })
    }

    @Test func `the report names the terminal, each decision and each set of symbols`() {
        let environment = TerminalEnvironment(term: "xterm-256color")

        let report = report(environment, entry: entry)

        #expect(report.texts.first == "terminal: TERM=xterm-256color")
        #expect(report.texts.contains("256 colors: terminfo lists 256 colors for xterm-256color"))
        for symbols in SymbolSet.allCases {
            #expect(report.texts.contains { $0.hasPrefix("  \(symbols.rawValue) ") })
        }
    }

    @Test func `a terminal that pretends to be another one is reported`() {
        let environment = TerminalEnvironment(term: "foot", hasUnicode16: false)

        let report = report(environment, entry: entry)

        #expect(report.texts.first == "terminal: TERM=foot, treated as xterm-256color")
    }

    @Test func `unsupported symbols are left out, with the reason`() {
        let environment = TerminalEnvironment(term: "xterm-256color", hasUnicode16: false)

        let report = report(environment, entry: entry)

        #expect(!report.texts.contains { $0.hasPrefix("  octants") })
        #expect(report.texts.contains { $0.contains("unknown to the C library") })
    }

    @Test(
        arguments: [
            (TerminalEnvironment(term: "xterm-256color"), nil, true),
            (TerminalEnvironment(term: "xterm-256color", colorTerm: "truecolor"), nil, false),
            (TerminalEnvironment(term: "xterm-256color"), .palette256, false),
            (TerminalEnvironment(term: "xterm-256color", refusesColor: true), nil, false),
            (TerminalEnvironment(term: "tmux-256color", isInsideTmux: true), nil, false),
            (TerminalEnvironment(term: "screen-256color"), nil, false),
        ] as [(TerminalEnvironment, ColorDepth?, Bool)]
    )
    func `a color band is shown only if 24-bit color is possible but not announced`(
        environment: TerminalEnvironment,
        asked: ColorDepth?,
        isShown: Bool
    ) {
        for drawsColors in [true, false] {
            let report = report(
                environment,
                entry: entry,
                overrides: ScreenOverrides(colorDepth: asked),
                drawsColors: drawsColors
            )
            let hasBand = report.texts.contains { $0.contains("48;2;") }
            let hasAdvice = report.texts.contains { $0.contains("--colors 24bit") }
            #expect(hasBand == (isShown && drawsColors) && hasAdvice == hasBand)
        }
    }

    @Test func `the band's steps between colors are too small to see`() {
        let colors = ColorBand.colors

        #expect(colors.count == ColorBand.columns)
        for (one, next) in zip(colors, colors.dropFirst()) {
            #expect(abs(one.red - next.red) <= 3 && abs(one.green - next.green) <= 3)
            #expect(abs(one.blue - next.blue) <= 3)
        }
    }

    @Test func `an unusable terminfo entry is reported`() {
        let environment = TerminalEnvironment(term: "dumb")

        let report = report(environment, entry: nil)

        #expect(report.texts.first?.contains("no usable terminfo entry") == true)
    }

    @Test(arguments: SymbolSet.allCases)
    func `a sample has twelve characters`(symbols: SymbolSet) {
        #expect(symbols.sample.unicodeScalars.count == 12)
    }
}

extension DoctorReport {
    fileprivate var texts: [String] { lines.map(\.text) }
}
