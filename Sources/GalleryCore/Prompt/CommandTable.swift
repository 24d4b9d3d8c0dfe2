import Feeds
import TerminalUI

/// A command that the user typed after a colon.
enum PromptCommand: Equatable, Sendable {
    /// Select an image by its number, starting from 1.
    case picture(Int)
    case percent(Int)
    case quit
    case open(String)
    case write(file: String, overwrites: Bool)
    case sort(SortKey, sampleCount: Int?, seed: UInt64?)
    case reverse
    case filter(String)
    case help
    case reload
    case clear(CachePlace)
    case theme(ThemeChoice)
    case statistics
    case set(Setting)

    /// A cache that the command `:clear` can empty.
    enum CachePlace: String, CaseIterable {
        case memory, disk
    }
}

/// The table of commands that can be typed after a colon.
///
/// It determines parsing, completion and help.
enum CommandTable {
    /// A command in the table.
    struct Entry: Sendable {
        /// The names of the command: the full name, followed by abbreviations.
        let names: [String]
        /// A placeholder for the argument, or an empty string if the command takes no argument.
        let argument: String
        let help: String
        /// The possible first words of the argument, used for completion.
        var words: [String] = []
        /// Whether the last argument of the command is a file path.
        var takesPath = false
        /// A closure that parses the argument if an exclamation mark follows the command name.
        ///
        /// It is nil if the command can't be used with an exclamation mark.
        var parseForced: (@Sendable (String) -> PromptCommand?)?
        /// A closure that parses the argument, or returns nil if it is invalid.
        let parse: @Sendable (String) -> PromptCommand?
    }

    /// The reason why a command line is invalid, on one line.
    struct Problem: Error, Equatable {
        let text: String
    }

    static let entries = [
        Entry(
            names: ["quit", "q", "wq", "x"],
            argument: "",
            help: "leave",
            parseForced: { $0.isEmpty ? .quit : nil },
            parse: { $0.isEmpty ? .quit : nil }
        ),
        Entry(names: ["help", "h"], argument: "", help: "show the keys") {
            $0.isEmpty ? .help : nil
        },
        Entry(
            names: ["open", "o", "e"],
            argument: "FEED",
            help: "open another feed",
            takesPath: true,
            parse: { $0.isEmpty ? nil : .open($0) }
        ),
        Entry(
            names: ["write", "w"],
            argument: "FILE",
            help: "write the list, or the marked images, as a feed; write! overwrites",
            takesPath: true,
            parseForced: { $0.isEmpty ? nil : .write(file: $0, overwrites: true) },
            parse: { $0.isEmpty ? nil : .write(file: $0, overwrites: false) }
        ),
        Entry(names: ["reload"], argument: "", help: "reload this feed") {
            $0.isEmpty ? .reload : nil
        },
        Entry(
            names: ["sort"],
            argument: "KEY",
            help: "sort the images",
            words: SortKey.allCases.map(\.rawValue) + ["reverse", "random N seed:N"],
            parse: sort
        ),
        Entry(names: ["filter"], argument: "TEXT", help: "show only what matches") { .filter($0) },
        Entry(
            names: ["clear"],
            argument: "CACHE",
            help: "clear the memory cache, or the disk cache after a question",
            words: PromptCommand.CachePlace.allCases.map(\.rawValue),
            parse: { PromptCommand.CachePlace(rawValue: $0).map(PromptCommand.clear) }
        ),
        Entry(
            names: ["theme"],
            argument: "NAME",
            help: "change the theme",
            words: ThemeChoice.allCases.map(\.rawValue),
            parse: { ThemeChoice(rawValue: $0).map(PromptCommand.theme) }
        ),
        Entry(names: ["stats"], argument: "", help: "show statistics") {
            $0.isEmpty ? .statistics : nil
        },
        Entry(
            names: ["set"],
            argument: "NAME VALUE",
            help: "change a setting",
            words: Setting.words,
            parse: { Setting($0).map(PromptCommand.set) }
        ),
    ]

    /// Parses a command line, or returns nil if the line is empty.
    static func parse(_ line: String) -> Result<PromptCommand, Problem>? {
        let (name, argument) = split(line)
        guard !name.isEmpty else { return nil }
        if argument.isEmpty, let number = number(name) { return .success(.picture(number)) }
        if argument.isEmpty, name.last == "%", let number = number(String(name.dropLast())) {
            return .success(.percent(number))
        }
        let isForced = name.last == "!"
        let plainName = isForced ? String(name.dropLast()) : name
        guard let entry = entries.first(where: { $0.names.contains(plainName) }),
            let parse = isForced ? entry.parseForced : entry.parse
        else {
            let hint = Spelling.hint(for: plainName, among: entries.map(\.names[0]))
            return .failure(Problem(text: "unknown command: \(name)\(hint)"))
        }
        if let command = parse(argument) { return .success(command) }
        let usage = entry.argument.isEmpty ? "" : " \(entry.argument)"
        let words = entry.words.isEmpty ? "" : ": \(entry.words.joined(separator: ", "))"
        return .failure(Problem(text: ":\(entry.names[0])\(usage)\(words)"))
    }

    private static func sort(_ argument: String) -> PromptCommand? {
        var words = argument.split(separator: " ")[...]
        guard let word = words.popFirst() else { return nil }
        if word == "reverse", words.isEmpty { return .reverse }
        guard let key = SortKey(rawValue: String(word)) else { return nil }
        guard key == .random else {
            return words.isEmpty ? .sort(key, sampleCount: nil, seed: nil) : nil
        }
        var (count, seed) = (Int?.none, UInt64?.none)
        if let last = words.last, last.hasPrefix("seed:") {
            guard let number = number(last.dropFirst(5)) else { return nil }
            seed = UInt64(number)
            words.removeLast()
        }
        if let word = words.popFirst() {
            guard let number = number(word), number > 0 else { return nil }
            count = number
        }
        return words.isEmpty ? .sort(key, sampleCount: count, seed: seed) : nil
    }

    /// Returns the possible completions of the text before the cursor, as complete lines.
    static func completions(of text: String) -> [String] {
        let line = text.drop { $0 == " " }
        guard let space = line.firstIndex(of: " ") else {
            return entries.map(\.names[0]).filter { $0.hasPrefix(line) }.sorted()
        }
        let name = String(line[..<space])
        guard let entry = entries.first(where: { $0.names.contains(name) }) else { return [] }
        let argument = line[space...].drop { $0 == " " }
        return entry.words.filter { $0.hasPrefix(argument) }.map { "\(name) \($0)" }
    }

    /// Returns the incomplete path at the end of a command, or nil if the command takes no path.
    ///
    /// Options of `:open` before the path are skipped.
    static func path(in text: String) -> String? {
        let line = text.drop { $0 == " " }
        guard let space = line.firstIndex(of: " ") else { return nil }
        let name = line[..<space]
        let plainName = String(name.last == "!" ? name.dropLast() : name)
        guard let entry = entries.first(where: { $0.names.contains(plainName) }), entry.takesPath
        else { return nil }
        var path = line[space...].drop { $0 == " " }
        while path.hasPrefix("-"), let end = path.firstIndex(of: " ") {
            path = path[end...].drop { $0 == " " }
        }
        return path.hasPrefix("-") ? nil : String(path)
    }

    /// Parses a number; only the first nine digits are used.
    ///
    /// Nine digits can't overflow, and are enough for an index beyond the end of any feed.
    static func number(_ text: some StringProtocol) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text.prefix(9)) : nil
    }

    /// Returns the first word and the remaining text.
    private static func split(_ line: String) -> (name: String, argument: String) {
        let line = line.trimmed
        let name = line.prefix { $0 != " " }
        return (String(name), String(line[name.endIndex...]).trimmed)
    }
}

/// A setting that the command `:set` changes.
enum Setting: Equatable, Sendable {
    /// The width of tiles in columns, or nil for an automatic width.
    case tiles(Int?)
    case animations(Bool)
    /// How the images of the grid fill their tiles.
    case tileStyle(TileStyle)
    case autoScroll(Bool)
    /// The display mode for images: "pixels" or the name of a symbol set.
    case pictures(String)

    /// Parses the name and value of a setting, separated by a space.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2 else { return nil }
        // "pictures" is the former name of this setting.
        let name = words[0] == "pictures" ? "images" : words[0]
        switch (name, words[1]) {
        case ("tiles", "auto"): self = .tiles(nil)
        case ("tiles", let value):
            guard let width = CommandTable.number(value), width > 0 else { return nil }
            self = .tiles(width)
        case ("animations", "on"): self = .animations(true)
        case ("animations", "off"): self = .animations(false)
        case ("crop", "on"): self = .tileStyle(.cropped)
        case ("justify", "on"): self = .tileStyle(.justified)
        case ("crop", "off"), ("justify", "off"): self = .tileStyle(.whole)
        case ("auto-scroll", "on"): self = .autoScroll(true)
        case ("auto-scroll", "off"): self = .autoScroll(false)
        case ("images", let look) where Self.looks.contains(String(look)):
            self = .pictures(String(look))
        default: return nil
        }
    }

    private static let looks = ["pixels"] + SymbolSet.allCases.map(\.rawValue)

    static let words =
        [
            "tiles auto", "tiles N", "crop on", "crop off", "justify on", "justify off",
            "animations on", "animations off", "auto-scroll on", "auto-scroll off",
        ]
        + looks.map { "images \($0)" }
}
