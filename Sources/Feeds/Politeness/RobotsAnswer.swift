package import ImageLoading

/// A site's response to a request for its rules for crawlers (`robots.txt`).
package enum RobotsAnswer: Equatable, Sendable {
    /// The content of the file.
    case rules([UInt8])
    /// The site has no rules.
    case none
    /// The rules could not be read for this reason.
    case unavailable(String)

    /// The default user agent to look for in the rules of sites.
    package static let program = "termgallery"
    /// The maximum length of the file in bytes; the rules in a longer file are unavailable.
    package static let mostBytes = 2 << 20

    /// Creates an answer from the site's response.
    ///
    /// If the file is missing or empty, everything is permitted. If the server cannot answer,
    /// nothing is permitted (RFC 9309, 2.2 and 2.3.1).
    package init(_ answer: Result<ImageManager.FetchedBody, ImageLoadingError>) {
        switch answer {
        case .success(let body): self = .rules(body.bytes)
        case .failure(let error) where error.reason == .emptyBody: self = .none
        case .failure(let error):
            switch error.httpStatus {
            case .some(204), .some(205): self = .none
            case .some(400..<500) where error.httpStatus != 429: self = .none
            default: self = .unavailable(error.description)
            }
        }
    }

    /// Returns the rules for a user agent, or nil if they are unavailable.
    package func rules(for program: String) -> RobotsRules? {
        switch self {
        case .rules(let bytes): RobotsRules(bytes, program: program)
        case .none: RobotsRules()
        case .unavailable: nil
        }
    }
}

/// The parts of a URL that are relevant to a site's rules: the site and the path.
package enum SitePlace {
    /// Returns the site and the path of a URL.
    ///
    /// The site consists of the scheme, host and port. The path includes the query. Both are
    /// normalized as in a request, so the path of "/a/../b" is "/b".
    package static func of(_ url: String) -> (site: String, path: String) {
        let url = (try? ImageURL(parsing: url, origin: .local))?.absoluteString ?? url
        let parts = URLParts(url)
        let site = "\(parts.scheme ?? "")://\(parts.hostAndPort ?? "")".lowercased()
        let path = url[parts.path.startIndex...].prefix { $0 != "#" }
        return (site, path.hasPrefix("/") ? String(path) : "/\(path)")
    }
}
