/// The parts of a help message from ArgumentParser.
struct HelpPage {
    struct Option {
        /// The long name without dashes.
        let name: String
        /// The lines of the option: its names, followed by its description.
        var lines: [String]
    }

    /// The text before the options: the overview, the usage and the arguments.
    let head: String
    /// The usage, possibly on several lines.
    let usage: String
    /// The name of the command, or nil for the program itself.
    let command: String?
    /// The list of subcommands and the line after the list, or nil if there are no subcommands.
    let commands: String?
    /// The sections with options.
    private let sections: [(title: String, options: [Option])]

    var options: [Option] { sections.flatMap(\.options) }

    init(_ message: String) {
        var head: [String] = []
        var commands: String?
        var sections: [(title: String, options: [Option])] = []
        for lines in Self.split(message) {
            let options = Self.options(of: lines.dropFirst())
            if !options.isEmpty {
                sections.append((lines[0], options))
            } else if lines[0] == "SUBCOMMANDS:" {
                let list = (["COMMANDS:"] + lines.dropFirst()).joined(separator: "\n")
                commands = list.replacing("<subcommand>", with: "<command>")
            } else {
                head += lines
            }
        }
        self.head = head.joined(separator: "\n")
        self.commands = commands
        self.sections = sections
        let usage = head.drop { !$0.hasPrefix("USAGE:") }.prefix { !$0.isEmpty }
        self.usage = usage.joined(separator: "\n")
        let words = usage.first?.split(separator: " ") ?? []
        command = words.dropFirst(2).first.flatMap { $0.first?.isLetter == true ? String($0) : nil }
    }

    /// Returns the sections without the options in `names`.
    ///
    /// A section is omitted if all its options are in `names`.
    func ownSections(without names: [String]) -> [String] {
        sections.compactMap { section in
            let own = section.options.filter { !names.contains($0.name) }
            guard !own.isEmpty else { return nil }
            return ([section.title] + own.flatMap(\.lines)).joined(separator: "\n")
        }
    }

    /// Splits a help message into sections, each starting with its title.
    ///
    /// The overview and the usage form the first section.
    private static func split(_ message: String) -> [[String]] {
        var sections: [[String]] = [[]]
        for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasSuffix(":"), line.first?.isUppercase == true, line == line.uppercased() {
                sections.append([])
            }
            sections[sections.count - 1].append(String(line))
        }
        return sections
    }

    private static func options(of lines: ArraySlice<String>) -> [Option] {
        var options: [Option] = []
        for line in lines where !line.isEmpty {
            if line.hasPrefix("  -") {
                let names = line.split { !($0.isLetter || $0.isNumber || $0 == "-") }
                let name = names.first { $0.hasPrefix("--") }?.dropFirst(2) ?? ""
                options.append(Option(name: String(name), lines: [line]))
            } else if !options.isEmpty {
                options[options.count - 1].lines.append(line)
            }
        }
        return options
    }
}
