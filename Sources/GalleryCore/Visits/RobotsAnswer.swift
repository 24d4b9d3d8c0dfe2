internal import FeedDocuments
public import ImageLoading

/// What a site says of its rules for programs (`robots.txt`).
public enum RobotsAnswer: Equatable, Sendable {
    /// The bytes of the file.
    case rules([UInt8])
    /// That there is none.
    case none
    /// Nothing, and why.
    case unavailable(String)

    /// The program that rules are looked for, unless a user names another.
    public static let program = "termgallery"
    /// The most bytes of the file that are asked for; of what is larger nothing is known.
    public static let mostBytes = 2 << 20

    /// What the answer to the request for the file says.
    ///
    /// A missing or empty file allows everything; a server that cannot answer allows nothing (RFC 9309,
    /// 2.2 and 2.3.1).
    public init(_ answer: Result<ImageManager.FetchedBody, ImageLoadingError>) {
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

    /// The rules for a program; nil if they can't be had.
    func rules(for program: String) -> RobotsRules? {
        switch self {
        case .rules(let bytes): RobotsRules(bytes, program: program)
        case .none: RobotsRules()
        case .unavailable: nil
        }
    }
}

/// Where an address lies, as rules for programs see it.
enum SitePlace {
    /// The site, as scheme, host and port, and the path with the query on it.
    static func of(_ url: String) -> (site: String, path: String) {
        let parts = URLParts(url)
        let site = "\(parts.scheme ?? "")://\(parts.hostAndPort ?? "")".lowercased()
        let path = url[parts.path.startIndex...].prefix { $0 != "#" }
        return (site, path.hasPrefix("/") ? String(path) : "/\(path)")
    }
}
