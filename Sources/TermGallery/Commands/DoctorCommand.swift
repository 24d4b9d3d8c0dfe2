import ArgumentParser
import GalleryCore
import Glibc

/// `termgallery doctor`: what the gallery makes of this terminal, and why.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what the terminal can show, what was chosen and why.",
        discussion: """
            Draws a sample of each set of symbols too, because no terminal tells which characters \
            its font has: take the finest one without gaps whose bar stands under the others.

            ssh and sudo don't say that a terminal has 24-bit colour. If the band of colours is \
            smooth, it has: start the gallery with --colors 24bit.
            """
    )

    @OptionGroup var screen: ScreenArguments

    func run() throws {
        let environment = TerminalEnvironment.adopted(LC_ALL)
        let entry = try? TerminfoChoice.entry(for: environment.term, load: TerminfoEntry.load)
        let report = DoctorReport(
            environment,
            entry: entry,
            overrides: screen.overrides,
            drawsColors: isatty(STDOUT_FILENO) == 1
        )
        let text = report.lines.map { $0 + "\n" }.joined()
        _ = OutputBytes.write(Array(text.utf8), to: STDOUT_FILENO)
    }
}

/// What `doctor` says.
///
/// Pure.
struct DoctorReport {
    let lines: [String]

    init(
        _ environment: TerminalEnvironment,
        entry: TerminfoEntry?,
        overrides: ScreenOverrides,
        drawsColors: Bool = false
    ) {
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: entry?.colorCount ?? 0,
            overrides: overrides
        )
        let band = drawsColors && profile.mayHaveMoreColors ? Self.band : []
        lines =
            ["terminal: \(Self.terminal(environment, entry))"] + profile.reasons
            + profile.capabilities.offeredSymbols.map { Self.sample(of: $0) } + band
    }

    private static var band: [String] {
        [
            "  24-bit?   \(ColorBand.text)",
            "            smooth? Then use --colors 24bit: ssh and sudo don't say so",
        ]
    }

    private static func terminal(
        _ environment: TerminalEnvironment,
        _ entry: TerminfoEntry?
    ) -> String {
        guard let entry else {
            return "TERM=\(environment.term), of which terminfo has no usable entry"
        }
        let isOther = entry.name != environment.term
        return "TERM=\(environment.term)" + (isOther ? ", taken for \(entry.name)" : "")
    }

    /// The bar at the end shows whether the terminal has dropped characters.
    private static func sample(of symbols: SymbolSet) -> String {
        let name = symbols.rawValue
        let gap = String(repeating: " ", count: max(1, 10 - name.count))
        return "  \(name)\(gap)\(symbols.sample)|"
    }
}

/// A band of colours that is smooth where the terminal has 24-bit colour, and in steps where it
/// makes do with the nearest of fewer.
///
/// Pure.
enum ColorBand {
    static let columns = 40

    private static let first: SIMD3<Double> = [16, 24, 64]
    private static let last: SIMD3<Double> = [112, 72, 144]

    /// The colours, from left to right.
    static var colors: [(red: Int, green: Int, blue: Int)] {
        (0..<columns).map { column in
            let part = Double(column) / Double(columns - 1)
            let color = (first + (last - first) * part).rounded(.toNearestOrEven)
            return (Int(color.x), Int(color.y), Int(color.z))
        }
    }

    /// Spaces on these colours, and back to the default.
    static var text: String {
        colors.map { "\u{1B}[48;2;\($0.red);\($0.green);\($0.blue)m " }.joined() + "\u{1B}[0m"
    }
}
