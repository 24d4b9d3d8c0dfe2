import ArgumentParser
import Glibc
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TermGallery
@testable import TerminalUI

/// Holds the manual page against what the program really takes.
@Suite struct ManualTests {
    fileprivate let manual: String

    init() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let descriptor = open("/\(root)/man/termgallery.1", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var file = FileBytes(descriptor: descriptor, name: "man/termgallery.1")
        manual = String(decoding: try file.rest(), as: UTF8.self)
    }

    private static let commands: [any ParsableCommand.Type] = {
        func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
            [command] + command.configuration.subcommands.flatMap(all)
        }
        return all(TermGalleryCommand.self)
    }()

    private static func help(of command: any ParsableCommand.Type) -> String {
        TermGalleryCommand.helpMessage(for: command, columns: 100)
    }

    /// "--cache-dir" in the help is "Fl -cache-dir" in the page.
    private static func options(in help: String) -> Set<String> {
        Set(
            help.split { !($0.isLetter || $0.isNumber || $0 == "-") }
                .filter { $0.hasPrefix("--") && $0.count > 2 }
                .map { String($0.dropFirst(2)) }
        )
    }

    @Test func `every option of every command is in the manual`() {
        for command in Self.commands {
            for option in Self.options(in: Self.help(of: command)) {
                #expect(
                    manual.contains("Fl -\(option)") || manual.contains("| -\(option)"),
                    "\(option)"
                )
            }
        }
    }

    @Test func `the manual names no option that no command has`() {
        let topics = ["all"] + HelpTopic.allCases.map(\.rawValue)
        let known = Self.commands.reduce(into: Set(topics.map { "help-\($0)" })) {
            $0.formUnion(Self.options(in: Self.help(of: $1)))
        }
        let named = manual.split(separator: "Fl -").dropFirst().map { rest in
            String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" })
        }

        #expect(Set(named).subtracting(known) == [])
        #expect(named.count > 20)
    }

    /// `make manual` writes the texts into the page.
    @Test func `the manual describes each option with the text of --help`() {
        let page = Self.joined(manual.replacing("\\&", with: "").split { $0 == "\n" })
        let commands: [any ParsableCommand.Type] = [
            GalleryCommand.self, DemoCommand.self, PrintCommand.self, FetchCommand.self,
        ]
        var texts: Set<String> = []
        for command in commands {
            let help = TermGalleryCommand.helpMessage(for: command, columns: 10_000)
            texts.formUnion(help.split(separator: "\n").compactMap(Self.description))
        }

        #expect(texts.count > 50)
        for text in texts {
            let isDescribed = page.contains(text)
            #expect(isDescribed, "\(text)")
        }
    }

    /// The text of an option without the values and the default that the parser appends.
    private static func description(of line: Substring) -> String? {
        guard line.hasPrefix("  -") || line.hasPrefix("      ") else { return nil }
        guard let start = line.dropFirst(2).firstRange(of: "  ")?.upperBound else { return nil }
        let text = joined([line[start...]])
        let appended = [" (values: ", ". (default: "].compactMap { text.firstRange(of: $0) }
        let end = appended.map(\.lowerBound).min() ?? text.endIndex
        let isGeneral = ["Show the version.", "Show help information."].contains(text)
        return isGeneral ? nil : String(text[..<end])
    }

    private static func joined(_ lines: [Substring]) -> String {
        lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }

    @Test(arguments: HelpTopic.allCases)
    func `the manual has a section with the options of each topic of --help`(
        topic: HelpTopic
    ) throws {
        let title = ".Ss \(topic.rawValue.prefix(1).uppercased() + topic.rawValue.dropFirst())\n"
        let start = try #require(manual.firstRange(of: title)?.upperBound)
        let end = try #require(manual[start...].firstRange(of: "\n.Ss ")?.lowerBound)
        let items = manual[start..<end].split(separator: "\n").filter { $0.hasPrefix(".It ") }
        let names = items.compactMap { item in
            item.split(separator: " ").first { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
        }

        #expect(names == topic.options)
    }

    @Test func `every command is in the manual`() {
        for command in Self.commands.dropFirst() {
            let name = command.configuration.commandName ?? ""
            #expect(manual.contains("Cm \(name)") || manual.contains("| \(name)"), "\(name)")
        }
    }

    @Test func `every key of the key tables is in the manual`() throws {
        let start = try #require(manual.firstRange(of: ".Sh KEYS")?.upperBound)
        let end = try #require(manual[start...].firstRange(of: ".Sh ")?.lowerBound)
        let items = manual[start..<end].split(separator: "\n").filter { $0.hasPrefix(".It ") }
        // Characters that roff would interpret are escaped.
        let text = items.map { $0.replacing("\\&", with: "").replacing("\\e", with: "\\") }
        let keys = Set(text.flatMap { $0.dropFirst(4).split { $0 == " " || $0 == "," } })

        for binding in KeyTable.groups.flatMap(\.bindings) {
            for key in binding.label.split(separator: " ") { #expect(keys.contains(key), "\(key)") }
        }
    }

    @Test(arguments: [0, 1, 2, 66, 69, 71])
    func `every exit code is in the manual`(code: Int32) {
        #expect(ExitStatus(rawValue: code) != nil)
        #expect(manual.contains("\n.It \(code)\n"))
    }
}

extension ManualTests {
    @Test func `every action and color of the configuration is in the manual`() throws {
        let start = try #require(manual.firstRange(of: ".Sh CONFIGURATION")?.upperBound)
        let end = try #require(manual[start...].firstRange(of: ".Sh ")?.lowerBound)
        let words = Set(manual[start..<end].split { " ,.;\n".contains($0) })

        for name in KeyChanges.actionNames { #expect(words.contains(name[...]), "\(name)") }
        for role in ColorRole.allCases { #expect(words.contains(role.rawValue[...]), "\(role)") }
    }
}
