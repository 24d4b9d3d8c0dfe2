import ArgumentParser
import Decoders
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// The `termgallery doctor` command, which reports what the terminal supports and why.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report what the terminal supports and which settings follow from it.",
        discussion: """
            Queries the terminal, even if standard output is redirected, and prints its answers and \
            the settings that follow from them.

            Also draws a sample of each symbol set, because a terminal cannot report which characters \
            its font has. Choose the finest set that shows no gaps and whose bar is aligned with the \
            others.

            If the terminal does not report whether it supports 24-bit color, a color gradient is \
            drawn. If the gradient is smooth, start the gallery with --colors 24bit.
            """
    ).withoutCompletions

    @OptionGroup(title: "Display") var screen: ScreenArguments
    @OptionGroup var configurationFile: ConfigurationArguments

    @Flag(help: "Print the report as a JSON object.")
    var json = false

    @Flag(help: "Compare the installed program with the checksums of its package instead.")
    var verify = false

    func run() throws {
        guard !verify else { return try verifyProgram() }
        let environment = TerminalEnvironment.adopted(LC_ALL)
        let entry = try? TerminfoChoice.entry(for: environment.term, load: TerminfoEntry.load)
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: entry?.colorCount ?? 0,
            overrides: screen.overrides
        )
        let detection = DetectionResult.run(
            environment,
            profile: profile,
            pixels: screen.overrides.pixels
        )
        TerminalMemory().remember(detection.replies)
        guard !json else {
            return try printJSON(
                DetectionReport(environment, detection: detection, decoding: DecoderReport())
            )
        }
        let report = DoctorReport(
            environment,
            entry: entry,
            profile: profile,
            detection: detection,
            drawsColors: isatty(STDOUT_FILENO) == 1
        )
        let decoders = DecoderReport().lines.map { TerminalText($0) }
        (report.lines + decoders).forEach(printLine)
    }

    private func verifyProgram() throws {
        let verification = try ProgramVerification.running()
        try verification.check()
        printLine("\(verification.program) has the checksum of its package")
        try verification.checkSignature()
        printLine("its package is not signed")
    }
}
