/// What a FEED argument on the command line names.
enum FeedSource: Equatable {
    /// `-`.
    case standardInput
    /// An `http` or `https` URL: of a feed, or of a picture.
    case remote(String)
    /// Anything else is a path: of a feed, a picture or a folder.
    case path(String)

    init(argument: String) {
        let lower = argument.lowercased()
        if argument == "-" {
            self = .standardInput
        } else if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
            self = .remote(argument)
        } else {
            self = .path(argument)
        }
    }

    /// Whether reading it may take longer than a person likes to wait for the first screen.
    var isSlow: Bool {
        switch self {
        case .standardInput, .remote: true
        case .path: false
        }
    }
}
