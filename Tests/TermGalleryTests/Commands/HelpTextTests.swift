import ArgumentParser
import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct HelpTextTests {
    private func message(_ command: any ParsableCommand.Type) -> String {
        TermGalleryCommand.helpMessage(for: command, columns: 100)
    }

    private func help(
        _ command: any ParsableCommand.Type,
        _ extent: HelpText.Extent = .mostUsed
    ) -> String {
        let gallery = message(GalleryCommand.self)
        let fetch = message(FetchCommand.self)
        return HelpText(message(command), gallery: gallery, fetch: fetch).text(extent)
    }

    /// The titles of the sections that list options, and the names in each.
    private func sections(_ help: String) -> [(title: String, names: [String])] {
        var sections: [(title: String, names: [String])] = []
        for line in help.split(separator: "\n") {
            if line.hasSuffix(":"), line.first?.isUppercase == true {
                sections.append((String(line), []))
            } else if line.hasPrefix("  -"), !sections.isEmpty {
                let words = line.split { " ,/".contains($0) }
                let name = words.first { $0.hasPrefix("--") } ?? ""
                sections[sections.count - 1].names.append(String(name.dropFirst(2)))
            }
        }
        return sections.filter { !$0.names.isEmpty }
    }

    @Test(arguments: [TermGalleryCommand.self, GalleryCommand.self] as [any ParsableCommand.Type])
    func `--help begins with the ten most used options`(command: any ParsableCommand.Type) throws {
        let first = try #require(sections(help(command)).first)

        #expect(first.title == "MOST USED OPTIONS:")
        #expect(first.names == HelpTopic.mostUsed && first.names.count == 10)
    }

    @Test func `--help of the program has the commands, the topics, and examples at the end`()
        throws
    {
        let help = help(TermGalleryCommand.self)

        let commands = try #require(help.firstRange(of: "\nCOMMANDS:\n"))
        let topics = try #require(
            help.firstRange(
                of: "feed, display, loading, cache, watching, selection, robots, debugging\n"
            )
        )
        let examples = try #require(help.firstRange(of: "\nEXAMPLES:\n  termgallery "))
        #expect(commands.upperBound < topics.lowerBound)
        #expect(topics.lowerBound < examples.lowerBound)
        #expect(!help[examples.upperBound...].contains("\n\n"))
        #expect(help.contains("--help-all") && !help.contains("--max-pixels"))
    }

    @Test func `--help-all has a section for each topic in which the command has options`() {
        let topics = HelpTopic.allCases.map(\.title)

        #expect(
            sections(help(GalleryCommand.self, .all)).map(\.title)
                == topics.filter { $0 != "ROBOTS:" } + ["OPTIONS:"]
        )
        #expect(
            sections(help(TermGalleryCommand.self, .all)).map {
                $0.title.prefix { $0 != " " && $0 != ":" } + ":"
            }
                == topics + ["OPTIONS:"]
        )
    }

    @Test func `every option of the gallery has a topic, except --help and --version`() {
        let own = sections(help(GalleryCommand.self, .all)).last

        #expect(own?.names == ["version", "help"])
    }

    @Test(
        arguments: [
            GalleryCommand.self, DemoCommand.self, PrintCommand.self, FetchCommand.self,
        ] as [any ParsableCommand.Type]
    )
    func `--help-all lists each option once, with its text`(command: any ParsableCommand.Type) {
        let all = help(command, .all)
        let names = sections(message(command)).flatMap(\.names)
        let lines = message(command).split(separator: "\n").filter { $0.hasPrefix(" ") }

        #expect(sections(all).flatMap(\.names).sorted() == names.sorted() && names.count > 25)
        for line in lines { #expect(all.contains("\(line)\n"), "\(line)") }
    }

    @Test func `each name in the topics is an option of a command, in one topic`() {
        let names = HelpTopic.allCases.flatMap(\.options)
        let known = [GalleryCommand.self, FetchCommand.self] as [any ParsableCommand.Type]

        #expect(Set(names).count == names.count)
        #expect(Set(HelpTopic.mostUsed).isSubset(of: names))
        let options = Set(known.flatMap { sections(message($0)).flatMap(\.names) })
        #expect(Set(names).subtracting(options) == [])
    }

    @Test(arguments: HelpTopic.allCases)
    func `--help-TOPIC lists the options of the topic and no others`(topic: HelpTopic) {
        let found = sections(help(TermGalleryCommand.self, .topic(topic)))

        #expect(found.map(\.title) == [topic.title])
        #expect(found.flatMap(\.names) == topic.options)
    }

    @Test func `a topic that a command lacks is that of the command that has it`() {
        #expect(help(PrintCommand.self, .topic(.robots)).hasPrefix("USAGE: termgallery fetch "))
        #expect(help(PrintCommand.self, .topic(.watching)).hasPrefix("USAGE: termgallery gallery "))
        #expect(help(PrintCommand.self, .topic(.display)).hasPrefix("USAGE: termgallery print "))
    }

    @Test func `a command's own options are in --help`() {
        let names = sections(help(FetchCommand.self)).flatMap(\.names)

        #expect(Set(names).isSuperset(of: ["jsonl", "resume", "thumbnails", "offline"]))
        #expect(!names.contains("robots"))
    }

    @Test func `--json is in the help of a command that picks nothing`() throws {
        let own = try #require(sections(help(InfoCommand.self)).first { $0.title == "OPTIONS:" })

        #expect(own.names.starts(with: ["json", "numeric"]))
        #expect(!help(InfoCommand.self).contains("selection"))
    }

    @Test func `the help of a command with few options is unchanged, and so is other output`() {
        for command in [AddFeedCommand.self, DoctorCommand.self] as [any ParsableCommand.Type] {
            let whole = message(command)
            let same = String(whole[...(whole.lastIndex { !$0.isNewline } ?? whole.startIndex)])
            #expect(help(command) == same && help(command, .all) == same)
        }
        #expect(HelpText("0.1.0\n", gallery: "", fetch: "").text(.all) == "0.1.0\n")
    }

    @Test func `after two dashes --help-all is the name of a feed`() {
        #expect(HelpText.parsed(["print", "--help-all"]) == ["print", "--help"])
        #expect(HelpText.parsed(["--help-cache", "x"]) == ["--help", "x"])
        #expect(HelpText.parsed(["--help-nothing"]) == ["--help-nothing"])
        #expect(HelpText.parsed(["--", "--help-all"]) == ["--", "--help-all"])
        #expect(HelpText.extent(of: ["--", "--help-all"]) == .mostUsed)
        #expect(HelpText.extent(of: ["fetch", "--help-robots"]) == .topic(.robots))
    }
}
