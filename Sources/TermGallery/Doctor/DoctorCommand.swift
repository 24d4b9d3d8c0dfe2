import ArgumentParser
import Decoders
import GalleryCore
import Glibc
import ImageLoading
import TerminalGraphics

/// `termgallery doctor`: what the gallery makes of this terminal, and why.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what the terminal can show, what was chosen and why.",
        discussion: """
            Asks the terminal, and says what it answered and what follows from that, wherever \
            standard output leads.

            Draws a sample of each set of symbols too, because no terminal tells which characters \
            its font has: take the finest one without gaps whose bar stands under the others.

            Where nothing says whether the terminal has 24-bit colour it draws a band of colours. \
            If that is smooth, it has: start the gallery with --colors 24bit.
            """
    )

    @OptionGroup var screen: ScreenArguments
    @OptionGroup var configurationFile: ConfigurationArguments

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        let environment = TerminalEnvironment.adopted(LC_ALL)
        let entry = try? TerminfoChoice.entry(for: environment.term, load: TerminfoEntry.load)
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: entry?.colorCount ?? 0,
            overrides: screen.overrides
        )
        let examination = TerminalExamination.run(
            environment,
            profile: profile,
            pixels: screen.pixels
        )
        guard !json else {
            return try printJSON(ExaminationReport(environment, examination, DecoderReport()))
        }
        let report = DoctorReport(
            environment,
            entry: entry,
            profile: profile,
            examination: examination,
            drawsColors: isatty(STDOUT_FILENO) == 1
        )
        let text = (report.lines + DecoderReport().lines).map { $0 + "\n" }.joined()
        _ = OutputBytes.write(Array(text.utf8), to: STDOUT_FILENO)
    }
}
