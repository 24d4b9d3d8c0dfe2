import GalleryCore
import Testing

@testable import TermGallery

@Suite struct DoctorTests {
    private let entry = TerminfoEntry(
        name: "xterm-256color",
        colorCount: 256,
        canMoveCursor: true,
        isDirectColor: false,
        hasMouse: true
    )

    @Test func `the report names the terminal, each decision and each set of symbols`() {
        let environment = TerminalEnvironment(term: "xterm-256color")

        let report = DoctorReport(environment, entry: entry, overrides: ScreenOverrides())

        #expect(report.lines.first == "terminal: TERM=xterm-256color")
        #expect(report.lines.contains("256 colours: terminfo gives xterm-256color 256 colours"))
        for symbols in SymbolSet.allCases {
            #expect(report.lines.contains { $0.hasPrefix("  \(symbols.rawValue) ") })
        }
    }

    @Test func `a terminal that is taken for another one is told of`() {
        let environment = TerminalEnvironment(term: "foot", hasUnicode16: false)

        let report = DoctorReport(environment, entry: entry, overrides: ScreenOverrides())

        #expect(report.lines.first == "terminal: TERM=foot, taken for xterm-256color")
    }

    @Test func `what would not come through is left out, with the reason`() {
        let environment = TerminalEnvironment(term: "xterm-256color", hasUnicode16: false)

        let report = DoctorReport(environment, entry: entry, overrides: ScreenOverrides())

        #expect(!report.lines.contains { $0.hasPrefix("  octants") })
        #expect(report.lines.contains { $0.contains("the C library doesn't know") })
    }

    @Test func `without a usable entry that is what is said`() {
        let environment = TerminalEnvironment(term: "dumb")

        let report = DoctorReport(environment, entry: nil, overrides: ScreenOverrides())

        #expect(report.lines.first?.contains("no usable entry") == true)
    }

    @Test(arguments: SymbolSet.allCases)
    func `a sample has twelve characters`(symbols: SymbolSet) {
        #expect(symbols.sample.unicodeScalars.count == 12)
    }
}
