import GalleryCore
import ImageLoading

/// What a FEED argument on the command line names.
enum FeedSource: Hashable, Sendable {
    /// `-`.
    case standardInput
    /// An `http` or `https` URL: of a feed, or of an image.
    case remote(String)
    /// One of the known feeds, which costs no other one if it fails.
    indirect case subscription(FeedSource, title: String)
    /// Anything else is a path, as `FileText` has it: of a feed, an image or a folder.
    case path(String)
    /// The folder that the program stands in, where nothing is named.
    case currentFolder

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

    /// What it is called on a screen and in errors.
    var name: String {
        switch self {
        case .standardInput: "standard input"
        case .remote(let url): URLParts.redacted(url)
        case .subscription(_, let title): title
        // A URL that was mistyped is taken for a path.
        case .path(let path): path.contains("://") ? URLParts.redacted(path) : FileText.shown(path)
        case .currentFolder: "this folder"
        }
    }
}
