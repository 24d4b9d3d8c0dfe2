import ArgumentParser
import GalleryCore
import ImageLoading

/// What a configuration says; all of it makes sense.
///
/// Pure. Options are kept as the arguments that say the same, so that the parser of the command line
/// checks them, and what stands there comes after them and wins.
struct Configuration: Equatable, Sendable {
    /// An option, and where it stands.
    struct Option: Equatable, Sendable {
        let name: String
        let argument: String
        let position: TextPosition

        /// The parser takes an empty value as a word of its own only.
        var arguments: [String] {
            argument == "--\(name)=" ? ["--\(name)", ""] : [argument]
        }
    }

    var options: [Option] = []
    var keys = KeyChanges()
    var colors: [ColorRole: CellColor] = [:]
    var hosts: [HostFields] = []

    /// Reads a configuration; what is wrong with it, in the order of its lines, if anything is.
    ///
    /// `home` is what `~` stands for.
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

    /// The arguments for a command, with those of the configuration in front of what was typed.
    func arguments(before typed: [String], commands: [String]) -> [String] {
        let named = typed.first.flatMap { commands.contains($0) ? $0 : nil }
        let groups = ConfigurationOption.groups(ofCommand: named ?? "gallery")
        let own = options.filter { option in
            ConfigurationOption.all.contains { $0.name == option.name && groups.contains($0.group) }
        }
        guard !own.isEmpty else { return typed }
        // `cache` has commands of its own.
        let isNested = named == "cache" && typed.count > 1 && !typed[1].hasPrefix("-")
        let path = named == nil ? 0 : isNested ? 2 : 1
        return typed[..<path] + own.flatMap(\.arguments) + typed[path...]
    }
}

/// Holds the options of a configuration against what the command line takes.
enum ConfigurationCheck {
    /// All at once, since all are right as a rule; if not, one by one.
    static func faults(of options: [Configuration.Option]) -> [TextFault] {
        guard !options.isEmpty, message(for: options.flatMap(\.arguments)) != nil else { return [] }
        return options.compactMap { option in
            message(for: option.arguments).map {
                TextFault(position: option.position, text: shortened($0, option))
            }
        }
    }

    /// What the parser has against arguments; nil if nothing.
    private static func message(for arguments: [String]) -> String? {
        do {
            _ = try GalleryCommand.parse(arguments)
            return nil
        } catch {
            let values = arguments.map { String($0.drop { $0 != "=" }.dropFirst()) }
            return MessageText.of(GalleryCommand.message(for: error), quoting: values)
        }
    }

    /// In a configuration options have no dashes.
    private static func shortened(_ message: String, _ option: Configuration.Option) -> String {
        let line = String(message.prefix { $0 != "\n" })
        let name = "--\(option.name)"
        return line.hasPrefix(name + " ") ? String(line.dropFirst(2)) : "\(option.name): \(line)"
    }
}

/// What is wrong with a configuration: at least one thing.
struct ConfigurationFaults: Error, Equatable {
    var faults: [TextFault]

    /// More would push the first off the screen.
    private static let maximumCount = 10

    /// A line for each, as compilers write them.
    func lines(file: String) -> [String] {
        let shown = faults.prefix(Self.maximumCount).map { fault in
            "\(file):\(fault.position.line):\(fault.position.column): \(fault.text)"
        }
        let rest = faults.count - shown.count
        return shown + (rest > 0 ? ["\(file): and \(rest) more"] : [])
    }
}

/// The header fields that requests to one server get.
struct HostFields: Equatable, Sendable {
    /// Scheme, host and port as in a normalised URL: "https://example.org".
    let origin: String
    let fields: [HeaderField]

    /// Whether a URL leads there.
    func holds(for url: String) -> Bool {
        guard url.hasPrefix(origin) else { return false }
        let next = url.utf8.dropFirst(origin.utf8.count).first
        return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
    }

    /// The hook that adds them; nil if there are none.
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

/// Words that were mistyped.
enum Spelling {
    /// `; did you mean "theme"?`, if one of the words is near enough.
    static func hint(for word: String, among words: some Sequence<String>) -> String {
        let distances = words.map { ($0, distance(word, $0)) }
        guard let nearest = distances.min(by: { $0.1 < $1.1 }),
            nearest.1 <= max(1, word.count / 3)
        else { return "" }
        return "; did you mean \"\(nearest.0)\"?"
    }

    /// How many characters have to be put in, taken out, replaced or swapped with their neighbour.
    static func distance(_ one: String, _ other: String) -> Int {
        // A word that is much longer is no misspelling, and costs time.
        let (left, right) = (Array(one.prefix(64)), Array(other.prefix(64)))
        var last: [Int] = []
        var before = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var line = [row + 1]
            for (column, candidate) in right.enumerated() {
                let replaced = before[column] + (character == candidate ? 0 : 1)
                var least = min(replaced, before[column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, character == right[column - 1],
                    left[row - 1] == candidate
                {
                    least = min(least, last[column - 1] + 1)
                }
                line.append(least)
            }
            (last, before) = (before, line)
        }
        return before[right.count]
    }
}
