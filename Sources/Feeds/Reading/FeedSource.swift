import ImageLoading
import SystemSupport

/// A source specified by a FEED argument on the command line.
package enum FeedSource: Hashable, Sendable {
    /// The argument `-`.
    case standardInput
    /// An `http` or `https` URL of a feed or an image.
    case remote(String)
    /// A subscribed feed.
    ///
    /// If this feed can't be read, the other feeds are still shown.
    indirect case subscription(FeedSource, title: String)
    /// Any other argument: the path of a feed, an image or a directory, encoded by `FileText`.
    case path(String)
    /// The current directory, used if the user specifies no source.
    case currentFolder

    package init(argument: String) {
        let lower = argument.lowercased()
        if argument == "-" {
            self = .standardInput
        } else if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
            self = .remote(argument)
        } else if lower.hasPrefix("file:///"), let path = PictureAddress.path(ofURL: argument) {
            self = .path(FileText.text(path))
        } else {
            self = .path(argument)
        }
    }

    /// The name of the source, shown on the screen and in error messages.
    package var name: String {
        switch self {
        case .standardInput: "standard input"
        case .remote(let url): URLParts.redacted(url)
        case .subscription(_, let title): title
        // A mistyped URL is interpreted as a path.
        case .path(let path): path.contains("://") ? URLParts.redacted(path) : FileText.shown(path)
        case .currentFolder: "this folder"
        }
    }
}
