import ArgumentParser
import Testing

@testable import TermGallery

@Suite struct HelpTextTests {
    private func help(_ command: any ParsableCommand.Type) -> String {
        TermGalleryCommand.helpMessage(for: command, columns: 100)
    }

    @Test func `the gallery's help has the most used options and names --help-all`() {
        let whole = help(GalleryCommand.self)
        let short = HelpText(whole).short

        #expect(whole.contains("--max-pixels") && !short.contains("--max-pixels"))
        for option in ["--recursive", "--pixels", "--offline", "--pick", "--slideshow", "--all"] {
            #expect(short.contains(option), "\(option)")
        }
        #expect(short.hasSuffix(" more options; --help-all lists them.\n"))
        #expect(short.split(separator: "\n").count < 45)
    }

    @Test func `a command's own options are all shown`() {
        let short = HelpText(help(FetchCommand.self)).short

        for option in ["--jsonl", "--resume", "--thumbnails", "--robots"] {
            #expect(short.contains(option), "\(option)")
        }
    }

    @Test func `help without shared options is unchanged`() {
        let whole = help(AddFeedCommand.self)

        #expect(HelpText(whole).short == whole)
    }

    @Test func `after two dashes --help-all is the name of a feed`() {
        #expect(HelpText.parsed(["print", "--help-all"]) == ["print", "--help"])
        #expect(HelpText.parsed(["--", "--help-all"]) == ["--", "--help-all"])
        #expect(!HelpText.isWhole(["--", "--help-all"]))
    }
}
