import ArgumentParser
import Feeds
import GalleryCore
import ImageLoading

/// Settings that limit the load on servers when many images are requested.
struct Courtesy: Sendable {
    /// The `User-Agent` value, or nil for the program's name and version.
    var userAgent: String?
    /// The maximum number of transfers per host, or nil for no separate limit.
    var transfersPerHost: Int?
    /// The policy that determines whether and when sites may be contacted.
    var policy = PolitenessPolicy()
}

/// A host named by `--insecure-host`, whose certificate is not checked.
enum InsecureHost {
    /// Returns the host in the form used in normalized URLs.
    static func value(_ text: String) throws -> String {
        // If the host included a port, the URL below would have two ports.
        guard !text.utf8.contains(where: { "/@?#\\".utf8.contains($0) }),
            let url = try? ImageURL(parsing: "https://\(text):1/", origin: .local),
            let host = url.host
        else {
            throw ValidationError(
                "--insecure-host takes the exact name or address of a host, without a port."
            )
        }
        return host
    }
}

/// The command-line options for `Courtesy`.
struct CourtesyArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The User-Agent header; name a contact, for example \"name/1 "
                + "(+mailto:me@example.org)\" "
                + "(default: TermGallery and its version).",
            valueName: "text"
        )
    )
    var userAgent: String?

    @Option(
        help: ArgumentHelp(
            "The number of simultaneous transfers per host (default: the value of --transfers).",
            valueName: "count"
        )
    )
    var transfersPerHost: Int?

    @Option(
        oneOf: PolitenessPolicy.RobotsUse.self,
        help: ArgumentHelp(
            "Obey robots.txt and X-Robots-Tag: always, never, or auto (in lists with many "
                + "sites, after "
                + "the first \(CountText.grouped(PolitenessPolicy.longList)) entries).",
            valueName: "when"
        )
    )
    var robots = PolitenessPolicy.RobotsUse.auto.rawValue

    @Option(
        help: ArgumentHelp(
            "The shortest pause between two requests to one site; a longer Crawl-delay "
                + "takes precedence.",
            valueName: "seconds"
        )
    )
    var pausePerHost = 0.0

    func validate() throws {
        guard (0...3600).contains(pausePerHost) else {
            throw ValidationError("--pause-per-host takes a number of seconds from 0 to 3600.")
        }
        // A line terminator in the value would start another header field.
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

    /// Creates the settings; `patience` is the maximum time to wait for hosts, in seconds.
    func courtesy(patience: Int) -> Courtesy {
        var policy = PolitenessPolicy()
        policy.robots = PolitenessPolicy.RobotsUse(rawValue: robots) ?? .auto
        policy.pause = .seconds(pausePerHost)
        policy.patience = .seconds(patience)
        // Rules in robots.txt name programs without version numbers.
        let name = userAgent.map { $0.prefix { $0.isLetter || $0 == "-" || $0 == "_" } } ?? ""
        if !name.isEmpty { policy.program = String(name) }
        return Courtesy(
            userAgent: userAgent,
            transfersPerHost: transfersPerHost,
            policy: policy
        )
    }
}
