import ArgumentParser
import GalleryCore
import ImageLoading
import TerminalUI

/// The contents of a valid configuration.
///
/// This type has no side effects. Options are stored as equivalent command-line arguments and
/// checked by the command-line parser. The arguments that the user typed come after them and take
/// precedence.
struct Configuration: Equatable, Sendable {
    /// An option and its position in the file.
    struct Option: Equatable, Sendable {
        let name: String
        let argument: String
        let position: TextPosition

        /// The arguments that set the option.
        ///
        /// The parser accepts an empty value only as a separate argument.
        var arguments: [String] {
            argument == "--\(name)=" ? ["--\(name)", ""] : [argument]
        }
    }

    var options: [Option] = []
    var keys = KeyChanges()
    var colors: [ColorRole: CellColor] = [:]
    var hosts: [HostFields] = []

    /// Reads a configuration, or returns all its errors in line order.
    ///
    /// A leading `~/` in a path is replaced by `home`.
    static func read(_ bytes: [UInt8], home: String?) -> Result<Configuration, ConfigurationFaults>
    {
        var reader = ConfigurationReader(home: home)
        do throws(TextFault) {
            reader.read(try TOMLReader.read(bytes))
        } catch {
            return .failure(ConfigurationFaults(faults: [error]))
        }
        let faults = reader.faults + ConfigurationCheck.faults(of: reader.configuration.options)
        guard faults.isEmpty else {
            let inOrder = faults.sorted { $0.position < $1.position }
            return .failure(ConfigurationFaults(faults: inOrder))
        }
        return .success(reader.configuration)
    }

    /// Returns the arguments for a command: the configuration's arguments, followed by the typed
    /// arguments.
    func arguments(before typed: [String], commands: [String]) -> [String] {
        let named = typed.first.flatMap { commands.contains($0) ? $0 : nil }
        let groups = ConfigurationOption.groups(ofCommand: named ?? "gallery")
        let own = options.filter { option in
            ConfigurationOption.all.contains { $0.name == option.name && groups.contains($0.group) }
        }
        guard !own.isEmpty else { return typed }
        // `cache` is followed by the name of its subcommand.
        let isNested = named == "cache" && typed.count > 1 && !typed[1].hasPrefix("-")
        let path = named == nil ? 0 : isNested ? 2 : 1
        return typed[..<path] + own.flatMap(\.arguments) + typed[path...]
    }
}

/// Validates a configuration's options with the command-line parser.
enum ConfigurationCheck {
    /// Returns the errors in the options.
    ///
    /// All options are checked together first because they are usually valid. If that fails, each
    /// option is checked separately.
    static func faults(of options: [Configuration.Option]) -> [TextFault] {
        guard !options.isEmpty, message(for: options.flatMap(\.arguments)) != nil else { return [] }
        return options.compactMap { option in
            message(for: option.arguments).map {
                TextFault(position: option.position, text: shortened($0, option))
            }
        }
    }

    /// Returns the parser's error message for the arguments, or nil if they are valid.
    private static func message(for arguments: [String]) -> String? {
        do {
            _ = try GalleryCommand.parse(arguments)
            return nil
        } catch {
            let values = arguments.map { String($0.drop { $0 != "=" }.dropFirst()) }
            return MessageText.of(GalleryCommand.message(for: error), quoting: values).text
        }
    }

    /// Returns the first line of an error message, starting with the option's name.
    ///
    /// The name is written without dashes, as in the configuration.
    private static func shortened(_ message: String, _ option: Configuration.Option) -> String {
        let line = String(message.prefix { $0 != "\n" })
        let name = "--\(option.name)"
        return line.hasPrefix(name + " ") ? String(line.dropFirst(2)) : "\(option.name): \(line)"
    }
}

/// One or more errors in a configuration.
struct ConfigurationFaults: Error, Equatable {
    var faults: [TextFault]

    /// The maximum number of errors to print.
    ///
    /// More lines would push the first errors off the screen.
    private static let maximumCount = 10

    /// Returns one line per error in the format of compiler messages, `file:line:column: text`.
    func lines(file: String) -> [String] {
        let shown = faults.prefix(Self.maximumCount).map { fault in
            let position = fault.position
            return position == .wholeFile
                ? "\(file): \(fault.text)"
                : "\(file):\(position.line):\(position.column): \(fault.text)"
        }
        let rest = faults.count - shown.count
        return shown + (rest > 0 ? ["\(file): and \(rest) more"] : [])
    }
}

/// The header fields for requests to a server.
struct HostFields: Equatable, Sendable {
    /// The scheme, host and port, formatted as in a normalized URL: "https://example.org".
    let origin: String
    let fields: [HeaderField]

    /// Returns whether a URL refers to this server.
    func holds(for url: String) -> Bool {
        guard url.hasPrefix(origin) else { return false }
        let next = url.utf8.dropFirst(origin.utf8.count).first
        return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
    }

    /// Returns a closure that adds the servers' header fields to requests, or nil if `hosts` is
    /// empty.
    ///
    /// If a request already has a field with the same name, the server's field replaces it.
    static func hook(
        _ hosts: [HostFields]
    ) -> (@Sendable (ImageURL, [HeaderField]) -> [HeaderField])? {
        guard !hosts.isEmpty else { return nil }
        return { url, fields in
            let own = hosts.filter { $0.holds(for: url.absoluteString) }.flatMap(\.fields)
            return fields.filter { field in !own.contains { $0.isNamed(field.name) } } + own
        }
    }
}
