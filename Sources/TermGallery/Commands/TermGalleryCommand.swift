import ArgumentParser
import CLinux
import Feeds
import Glibc
import ImageLoading
import TerminalUI

@main
struct TermGalleryCommand: ParsableCommand {
    static let version = "0.2.0"

    static let configuration = CommandConfiguration(
        commandName: "termgallery",
        abstract: "Browse images and image feeds in a terminal.",
        usage: """
            termgallery [<options>] [<feed> ...]
            termgallery <command> [<options>]
            """,
        discussion: """
            Opens the gallery on a FEED, or on the current folder if there is none. A FEED is a \
            folder, an image, an archive, a feed file (one URL or path per line, optionally followed \
            by a caption), the http(s) URL of a feed or page, or - for a feed on standard input.
            """,
        version: version,
        subcommands: [
            GalleryCommand.self, DemoCommand.self, PrintCommand.self, PreviewCommand.self,
            FetchCommand.self, CompareCommand.self, InfoCommand.self, CacheCommand.self,
            FeedsCommand.self,
            ServeCommand.self,
            DoctorCommand.self,
        ],
        defaultSubcommand: GalleryCommand.self
    )

    /// Parses the arguments, runs the command, and converts the result to an exit code.
    ///
    /// Exit codes are determined only here.
    static func main() {
        IsolatedDecoding.runIfAsked()
        StandardDescriptors.open()
        clinux_keep_freed_memory()
        // If a file exceeds the size limit (ulimit -f), the write must fail without ending the
        // program.
        signal(SIGXFSZ, SIG_IGN)
        do {
            defer { ExitHandlers.run() }
            try StartCheck.checkStack()
            // The version is printed here because the parser would first prepare all options of all
            // commands.
            if ProgramArguments.all == ["--version"] { return printLine("\(version)") }
            let arguments = HelpText.parsed(ProgramArguments.all)
            let configuration = try ProgramConfiguration.load(arguments)
            ProgramConfiguration.current = configuration
            var command = try parse(configuration.arguments)
            try command.run()
        } catch let failure as ProgramFailure {
            failure.message.map { printError("termgallery: \($0)") }
            Glibc.exit(failure.status.rawValue)
        } catch let ending as SignalEnding {
            SignalInbox.die(by: ending.signal)
        } catch {
            // The parser's exit code for an invalid command line is 64. This program uses 2, as
            // most tools do.
            let code = exitCode(for: error)
            guard code != .success else { printHelp(fullMessage(for: error)) }
            let message = MessageText.of(fullMessage(for: error), quoting: ProgramArguments.all)
            printError(message)
            Glibc.exit(code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue)
        }
    }

    /// Prints the requested help or version, and ends the program.
    private static func printHelp(_ message: String) -> Never {
        let help = HelpText(
            message,
            gallery: helpMessage(for: GalleryCommand.self),
            fetch: helpMessage(for: FetchCommand.self)
        )
        printLine(TerminalText(lines: help.text(HelpText.extent(of: ProgramArguments.all))))
        Glibc.exit(0)
    }

    /// Parses the arguments directly with the command named by the first argument.
    ///
    /// If the first argument is not a command, the gallery command parses the arguments. The result
    /// is the same as that of `parseAsRoot` on the root command, but parsing is faster.
    /// `parseAsRoot` first prepares all options of the default command several times, and checks
    /// for a request for shell completions. This takes half of the time needed to print a small
    /// image.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        // If parsing fails or the user requests help or completions, the root command must parse
        // the arguments.
        guard let direct = command(for: arguments.first),
            let command = try? direct.parseAsRoot(arguments.droppingName(of: direct)),
            type(of: command) == direct
        else { return try parseAsRoot(arguments) }
        return command
    }

    /// Returns the command selected by the first argument.
    ///
    /// Returns nil if the root command must parse the arguments.
    private static func command(for name: String?) -> (any ParsableCommand.Type)? {
        guard name != "help" else { return nil }
        let named = configuration.subcommands.first { $0.configuration.commandName == name }
        guard let named else { return GalleryCommand.self }
        return named.configuration.subcommands.isEmpty ? named : nil
    }
}

extension [String] {
    /// Returns the arguments of a command without the command's name.
    fileprivate func droppingName(of command: any ParsableCommand.Type) -> [String] {
        first == command.configuration.commandName ? Array(dropFirst()) : self
    }
}

extension CommandConfiguration {
    /// A copy of the configuration that keeps the parser from checking for completion requests.
    ///
    /// Use it for commands that `TermGalleryCommand` may parse directly.
    var withoutCompletions: Self {
        var configuration = self
        configuration._superCommandName = "termgallery"
        return configuration
    }
}
