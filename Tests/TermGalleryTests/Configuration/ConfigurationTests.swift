import ArgumentParser
import GalleryCore
import ImageLoading
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

@Suite struct ConfigurationTests {
    private func read(_ text: String) -> Result<Configuration, ConfigurationFaults> {
        Configuration.read(Array(text.utf8), home: "/home/me")
    }

    /// Returns the faults of a configuration.
    private func faults(_ text: String) -> [String] {
        guard case .failure(let faults) = read(text) else { return [] }
        return faults.lines(file: "config.toml")
    }

    private func arguments(_ text: String, _ typed: [String]) throws -> [String] {
        try read(text).get().arguments(
            before: typed,
            commands: ["print", "fetch", "cache", "serve"]
        )
    }

    // MARK: Options

    @Test func `configured options precede the typed ones, which take precedence`() throws {
        let text = "theme = \"light\"\ntransfers = 12\nautoscroll = true\nexact = false"
        let arguments = try arguments(text, ["--theme", "dark", "--no-autoscroll", "feed.txt"])
        #expect(arguments.first == "--theme=light" && arguments.last == "feed.txt")

        let command = try #require(TermGalleryCommand.parse(arguments) as? GalleryCommand)
        #expect(command.screen.overrides.theme == .dark && command.loading.transfers == 12)
        #expect(!command.gallery.autoscroll && !command.gallery.exact)
        #expect(command.feeds.names == ["feed.txt"])
    }

    @Test func `a command gets its configured options after its name`() throws {
        let text = "theme = \"dark\"\noffline = true\ndisk-cache = \"1G\"\nautoscroll = true"
        #expect(
            try arguments(text, ["fetch", "x"]) == ["fetch", "--offline", "--disk-cache=1G", "x"]
        )
        #expect(
            try arguments(text, ["print", "x"])
                == ["print", "--theme=dark", "--offline", "--disk-cache=1G", "x"]
        )
        #expect(try arguments(text, ["cache", "clean"]) == ["cache", "clean", "--disk-cache=1G"])
        #expect(
            try arguments(text, ["cache", "--json"]) == ["cache", "--disk-cache=1G", "--json"]
        )
        #expect(try arguments(text, ["serve"]) == ["serve"])
    }

    @Test func `every option of every command is in the table, or has a reason not to be`() {
        /// Options that apply to one call only, or that a configuration cannot specify for itself.
        let ofOneCall: Set<String> = [
            "config", "no-config", "help", "version",
            // The properties of the demo and its server.
            "count", "latency", "bandwidth", "failures", "seed", "port",
            // Options that choose output or deletion.
            "columns", "size", "links", "place", "caption", "no-caption", "clear", "jsonl",
            "refresh", "strict", "json", "verify", "disk", "memory", "pick",
            "print0", "print-marked", "null", "watch", "recursive", "depth", "exclude", "batch",
            "hidden", "alone", "slideshow", "all", "min-ssim", "numeric",
            // The processing of a list, and the identification of the client.
            "check", "ordered", "quality", "resume", "shard-size", "thumbnail-format", "thumbnails",
            "insecure-host", "pause-per-host", "robots", "transfers-per-host", "user-agent",
        ]
        func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
            [command] + command.configuration.subcommands.flatMap(all)
        }
        var found: Set<String> = []
        for command in all(TermGalleryCommand.self) {
            let help = TermGalleryCommand.helpMessage(for: command, columns: 200)
            let words = help.split { !($0.isLetter || $0.isNumber || $0 == "-") }
            found.formUnion(words.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) })
        }
        let opposites = ConfigurationOption.all.compactMap { option in
            option.kind == .flag(hasOpposite: true) ? "no-\(option.name)" : nil
        }
        let known = Set(ConfigurationOption.all.map(\.name) + opposites).union(ofOneCall)

        #expect(found.subtracting(known).subtracting([""]) == [])
        #expect(Set(ConfigurationOption.all.map(\.name) + opposites).subtracting(found) == [])
    }

    @Test func `each command takes the options that its groups name`() {
        let commands: [any ParsableCommand.Type] = [
            GalleryCommand.self, DemoCommand.self, PrintCommand.self, PreviewCommand.self,
            FetchCommand.self, CompareCommand.self, InfoCommand.self, StatsCommand.self,
            DoctorCommand.self,
        ]
        for command in commands {
            let name = command.configuration.commandName ?? ""
            let groups = ConfigurationOption.groups(ofCommand: name == "stats" ? "cache" : name)
            let help = command.helpMessage(includeHidden: true, columns: 200)
            for option in ConfigurationOption.all where groups.contains(option.group) {
                #expect(help.contains("--\(option.name)"), "\(name) \(option.name)")
            }
        }
    }

    @Test func `a tilde in a file name is the home folder`() throws {
        #expect(try arguments("log = \"~/a.log\"", []) == ["--log=/home/me/a.log"])
        #expect(try arguments("cache-dir = \"~x\"", []) == ["--cache-dir=~x"])
        #expect(try arguments("proxy = \"\"", []) == ["--proxy", ""])
        #expect(
            try arguments("label-names = [\"a\", \"b\"]\nopener = \"feh -F\"", [])
                == ["--label-names=a,b", "--opener=feh -F"]
        )
    }

    // MARK: Faults

    @Test(arguments: [
        ("\n  thema = \"dark\"", "2:3: unknown key \"thema\"; did you mean \"theme\"?"),
        ("color = 1", "1:1: unknown key \"color\"; did you mean \"colors\"?"),
        ("xyzzy = 1", "1:1: unknown key \"xyzzy\""),
        ("[host.\"a.b\"]", "1:2: unknown section \"host\"; did you mean \"hosts\"?"),
        ("theme = 3", "1:9: theme is a string, not a whole number"),
        ("transfers = \"6\"", "1:13: transfers is a whole number, not a string"),
        ("offline = 1", "1:11: offline is true or false, not a whole number"),
        (
            "max-bytes = true",
            "1:13: max-bytes is a number or a string like \"64M\", not true or false"
        ),
        ("transfers = 99", "1:13: transfers takes a number from 1 to 64."),
        ("tile-width = 3", "1:14: tile-width takes a number of columns from 12 to 1000."),
        ("keys = 1", "1:8: [keys] is a table"),
        ("[keys]\nopne = \"o\"", "2:1: unknown action \"opne\"; did you mean \"open\"?"),
        ("[keys]\nopen = 1", "2:8: open takes a key or an array of keys"),
        (
            "[keys]\nopen = [\"o\", \"spacebar\"]",
            "2:14: no key is called \"spacebar\"; a key is a character such as \"j\", or a name such as "
                + "\"space\", \"ctrl-d\", \"page-down\""
        ),
        ("[keys]\nopen = \"x\"\nquit = \"x\"", "3:1: x is both open and quit"),
        ("[colors]\nacent = \"#fff\"", "2:1: unknown color \"acent\"; did you mean \"accent\"?"),
        ("[colors]\naccent = \"red\"", "2:10: accent takes a color like \"#7cb7ff\""),
        (
            "[hosts.\"a b\"]\nheaders = {}",
            "1:8: a host is a name such as \"example.org\", with a port if it has one of its own, and "
                + "with http:// in front if it has no https"
        ),
        ("[hosts.a]\nheader = {}", "2:1: unknown key \"header\"; did you mean \"headers\"?"),
        ("[hosts.a]\nheaders = { \"A B\" = \"x\" }", "2:13: this is not a header field name"),
        ("[hosts.a]\nheaders = { Host = \"x\" }", "2:13: the program sets Host itself"),
        ("[hosts.a]\nheaders = { A = \"x\\ny\" }", "2:17: A takes a string of one line"),
        ("[keys\n", "1:6: expected “]”, found the end of the line"),
    ])
    func `an error states its position`(text: String, expected: String) {
        #expect(faults(text) == ["config.toml:" + expected])
    }

    @Test func `a value that the command line refuses is named, and all errors are reported`() {
        let faults = faults("theme = \"drak\"\ntransfers = 0\nlog = \"x\"")

        #expect(faults.count == 2)
        #expect(faults[0].hasPrefix("config.toml:1:9: theme: The value 'drak' is invalid"))
        #expect(faults[1] == "config.toml:2:13: transfers takes a number from 1 to 64.")
        #expect(self.faults((0..<30).map { "k\($0)x = 1" }.joined(separator: "\n")).count == 11)
    }

    @Test func `a password in a value is not in the error`() {
        let faults = faults("proxy = \"ftp://me:secret@host:1/\"")
        #expect(faults.count == 1 && !faults[0].contains("secret"))
    }

    // MARK: Hosts

    @Test func `header fields are sent only to their server`() throws {
        let text = """
            [hosts."Example.org"]
            headers = { Authorization = "Bearer s3cret", X-Team = "é" }
            [hosts."http://127.0.0.1:8080"]
            headers = { X-Key = "k" }
            """
        let hosts = try read(text).get().hosts
        #expect(hosts.map(\.origin) == ["https://example.org", "http://127.0.0.1:8080"])
        let hook = try #require(HostFields.hook(hosts))
        func names(_ url: String) throws -> [String] {
            let url = try ImageURL(parsing: url, origin: .local)
            return hook(url, [HeaderField("Accept", "*"), HeaderField("x-key", "old")]).map(\.name)
        }

        #expect(
            try names("https://EXAMPLE.org:443/a") == [
                "Accept", "x-key", "Authorization", "X-Team",
            ]
        )
        #expect(try names("http://127.0.0.1:8080/a") == ["Accept", "X-Key"])
        for other in [
            "http://example.org/a", "https://example.org:444/a", "https://example.org.evil.test/a",
            "https://sub.example.org/", "https://evil.test/?https://example.org/",
            "http://127.0.0.1:808/a",
        ] {
            #expect(try names(other) == ["Accept", "x-key"], "\(other)")
        }
    }

    @Test(arguments: [
        ("theme", "theme", 0), ("thema", "theme", 1), ("thmee", "theme", 1), ("", "abc", 3),
        ("kitten", "sitting", 3),
    ])
    func `the distance of words counts the changes`(
        one: String,
        other: String,
        distance: Int
    ) {
        #expect(Spelling.distance(one, other) == distance)
        #expect(Spelling.distance(other, one) == distance)
    }
}
