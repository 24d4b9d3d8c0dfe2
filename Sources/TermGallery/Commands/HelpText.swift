/// The help of a command, as ArgumentParser prints it, without the options that few people need.
///
/// The options that most commands share are in sections of their own, by topic. `--help` keeps the most
/// used ones of these; `--help-all` prints everything.
struct HelpText {
    private static let flag = "--help-all"

    /// The shared options that `--help` keeps.
    private static let common = [
        "--recursive", "--watch", "--pixels", "--theme", "--offline", "--cache-dir", "--plain",
        "--slideshow", "--labels", "--pick",
    ]
    /// The sections that are shortened.
    private static let sharedSections = [
        "FEEDS:", "DISPLAY:", "LOADING:", "DISK CACHE:", "CONFIGURATION:", "GALLERY:",
        "SLIDESHOW AND REFRESH:", "SELECTION:",
    ]

    private let message: String

    init(_ message: String) {
        self.message = message
    }

    /// Whether all options are asked for.
    static func isWhole(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains(flag)
    }

    /// The arguments for the parser, which knows `--help` only.
    static func parsed(_ arguments: [String]) -> [String] {
        guard isWhole(arguments) else { return arguments }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { $0 == flag ? "--help" : $0 } + arguments[end...]
    }

    /// The message with the most used options; the whole message if nothing was left out.
    var short: String {
        var kept: [Substring] = []
        var leftOutCount = 0
        for section in sections {
            guard let title = section.first, Self.sharedSections.contains(String(title)) else {
                kept += section
                continue
            }
            let options = Self.options(of: section.dropFirst())
            let common = options.filter { option in
                Self.common.contains { name in option.contains { $0.contains(name) } }
            }
            leftOutCount += options.count - common.count
            if !common.isEmpty { kept += [title] + common.joined() + [""] }
        }
        guard leftOutCount > 0 else { return message }
        while kept.last?.isEmpty == true { kept.removeLast() }
        return kept.joined(separator: "\n")
            + "\n\nThere are \(leftOutCount) more options; \(Self.flag) lists them.\n"
    }

    /// The lines of each section, its title first, with the blank line that ends it.
    private var sections: [[Substring]] {
        var sections: [[Substring]] = [[]]
        for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasSuffix(":"), line.first?.isUppercase == true, line == line.uppercased() {
                sections.append([])
            }
            sections[sections.count - 1].append(line)
        }
        return sections
    }

    /// The lines of each option: one that begins with its name, and those that continue its text.
    private static func options(of lines: ArraySlice<Substring>) -> [[Substring]] {
        var options: [[Substring]] = []
        for line in lines where !line.isEmpty {
            if line.hasPrefix("  -") {
                options.append([line])
            } else if !options.isEmpty {
                options[options.count - 1].append(line)
            }
        }
        return options
    }
}
