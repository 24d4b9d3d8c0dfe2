import ArgumentParser
import GalleryCore
import Glibc
import ImageLoading

/// The configuration that the program runs with, and where it came from.
struct ProgramConfiguration: Sendable {
    var values = Configuration()
    /// Nil if none is to be read.
    var file: ConfigurationFile?
    /// Nil if there was no file.
    var stamp: FileStamp?
    /// What a person should know of it; a line.
    private(set) var warning: String?
    /// What was typed, without what the configuration adds.
    var typed: [String] = []

    private static let shared = Protected(ProgramConfiguration())

    /// What `main` has read, once, before any command began; tests have none.
    static var current: ProgramConfiguration {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// Reads the configuration for a call.
    ///
    /// Every fault is a line on standard error.
    static func load(_ typed: [String]) throws(ProgramFailure) -> ProgramConfiguration {
        var made = ProgramConfiguration(typed: typed)
        guard wantsConfiguration(typed) else { return made }
        made.file = ConfigurationFile.named(in: typed)
        guard let file = made.file else { return made }
        switch made.read() {
        case .success:
            made.warning.map(printError)
            return made
        case .failure(let faults):
            for line in faults.lines(file: FileText.shown(file.path)) {
                printError("termgallery: \(line)")
            }
            throw ProgramFailure(.usage)
        }
    }

    /// Takes what the file says now.
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

    /// Help and versions need none, and must not wait for it.
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

    /// The arguments of the call, with those of the configuration in front of them.
    var arguments: [String] {
        var values = values
        // The environment is nearer to a call than the configuration is.
        if getenv("TERMGALLERY_OPENER") != nil { values.options.removeAll { $0.name == "opener" } }
        return values.arguments(before: typed, commands: Self.commandNames)
    }

    private static var commandNames: [String] {
        TermGalleryCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// What the file says now, if it is another one than was read last; nil if nothing has changed.
    ///
    /// One system call while nothing has.
    mutating func readAgain() -> Result<Void, ConfigurationFaults>? {
        guard let file else { return nil }
        let now = file.stamp
        guard now != stamp else { return nil }
        // Also a wrong one is not read twice.
        stamp = now
        var next = self
        let result = next.read()
        if case .success = result { self = next }
        return result
    }
}
