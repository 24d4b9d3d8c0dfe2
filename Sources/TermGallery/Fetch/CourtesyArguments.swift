import ArgumentParser

/// How servers are treated that are asked for very many pictures.
struct Courtesy: Sendable {
    /// What we call ourselves; nil for the program's name.
    var userAgent: String?
    /// Nil for no limit of its own.
    var transfersPerHost: Int?
}

/// The options of it.
struct CourtesyArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What servers are told of who asks; name a contact, as in \"name/1 (+mailto:me@example.org)\" "
                + "(default: TermGallery and its version).",
            valueName: "text"
        )
    )
    var userAgent: String?

    @Option(
        help: ArgumentHelp(
            "Transfers at once from one host (default: as many as --transfers).",
            valueName: "count"
        )
    )
    var transfersPerHost: Int?

    func validate() throws {
        // What ends a line would begin a field of its own.
        let isUsable = userAgent.map { text in
            (1...512).contains(text.utf8.count)
                && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        }
        guard isUsable ?? true else {
            throw ValidationError("--user-agent takes up to 512 characters of ASCII on one line.")
        }
        guard transfersPerHost.map({ (1...64).contains($0) }) ?? true else {
            throw ValidationError("--transfers-per-host takes a number from 1 to 64.")
        }
    }

    var courtesy: Courtesy {
        Courtesy(userAgent: userAgent, transfersPerHost: transfersPerHost)
    }
}
