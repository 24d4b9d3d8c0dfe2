import ArgumentParser
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The program's current configuration, and the file and arguments from which it was created.
struct ProgramConfiguration: Sendable {
    var values = Configuration()
    /// The configuration file, or nil if there is none to read.
    var file: ConfigurationFile?
    /// The size and modification time of the file at the last check, or nil if it didn't exist.
    var stamp: FileStamp?
    /// A one-line warning for the user, or nil if there is none.
    private(set) var warning: String?
    /// The arguments that the user typed, without the configuration's arguments.
    var typed: [String] = []

    private static let shared = Protected(ProgramConfiguration())

    /// The configuration that `main` read before starting the command, or an empty one in tests.
    static var current: ProgramConfiguration {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// Reads the configuration selected by the arguments.
    ///
    /// Each error is printed as a line on standard error.
    static func load(_ typed: [String]) throws(ProgramFailure) -> ProgramConfiguration {
        var made = ProgramConfiguration(typed: typed)
        guard wantsConfiguration(typed) else { return made }
        made.file = ConfigurationFile.named(in: typed)
        guard let file = made.file else { return made }
        switch made.read() {
        case .success:
            made.warning.map { printError("\($0)") }
            return made
        case .failure(let faults):
            for line in faults.lines(file: FileText.shown(file.path)) {
                printError("termgallery: \(line)")
            }
            throw ProgramFailure(.usage)
        }
    }

    /// Reads the current content of the file.
    private mutating func read() -> Result<Void, ConfigurationFaults> {
        guard let file else { return .success(()) }
        let contents: ConfigurationFile.Contents?
        do throws(TextFault) {
            contents = try file.read()
        } catch {
            return .failure(ConfigurationFaults(faults: [error]))
        }
        stamp = contents?.stamp
        let home = getenv("HOME").map { FileText.text(cString: $0) }
        return Configuration.read(contents?.bytes ?? [], home: home).map { configuration in
            values = configuration
            let tellsSecrets = contents?.isReadableByOthers == true && !configuration.hosts.isEmpty
            warning =
                tellsSecrets
                ? "termgallery: \(FileText.shown(file.path)): other users can read its header fields; run chmod go-r on it"
                : nil
        }
    }

    /// Returns whether the command needs the configuration.
    ///
    /// Requests for help or the version don't need the configuration, and must work even if it is
    /// invalid.
    private static func wantsConfiguration(_ arguments: [String]) -> Bool {
        let arguments = arguments.prefix { $0 != "--" }
        if let first = arguments.first, commandNames.contains(first) || first == "help",
            ConfigurationOption.groups(ofCommand: first).isEmpty
        {
            return false
        }
        return !arguments.contains { argument in
            ["-h", "--help", "-help", "--version", "--generate-completion-script"]
                .contains { argument == $0 || argument.hasPrefix("--experimental") }
        }
    }

    /// The configuration's arguments, followed by the typed arguments.
    var arguments: [String] {
        var values = values
        // The environment takes precedence over the configuration.
        if getenv("TERMGALLERY_OPENER") != nil { values.options.removeAll { $0.name == "opener" } }
        return values.arguments(before: typed, commands: Self.commandNames)
    }

    private static var commandNames: [String] {
        TermGalleryCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// Reads the file again and returns the result, or returns nil if the file has not changed.
    ///
    /// If the file has not changed, the method makes only one system call.
    mutating func readAgain() -> Result<Void, ConfigurationFaults>? {
        guard let file else { return nil }
        let now = file.stamp
        guard now != stamp else { return nil }
        // The stamp is stored first to avoid reading an invalid file twice.
        stamp = now
        var next = self
        let result = next.read()
        if case .success = result { self = next }
        return result
    }
}
