package import Feeds
internal import ImageLoading

/// A property that formats an item as a line of a feed.
extension FeedItem {
    /// The item as a line of a plain-text feed, or nil if it can't be written as a line.
    ///
    /// Parsing the line returns the same item. A path of printable ASCII characters without spaces
    /// and quotation marks is written unchanged. Any other path is written as a URL. In a caption,
    /// line breaks become spaces, and text beyond the maximum line length is cut off. A caption
    /// derived from the URL is not written. The property is nil if the item can't be loaded or if
    /// its URL doesn't fit on a line.
    package var feedLine: [UInt8]? {
        guard problem == nil || isDeleted else { return nil }
        let path = PictureAddress.path(ofURL: url)
        let isPlain = path?.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 } ?? false
        let target = isPlain ? path ?? [] : Array(url.utf8)
        let limit = FeedLineParser.maximumByteCount(ofLineFrom: target)
        guard !target.isEmpty, target.count <= limit, target.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        var line = target
        let text = writtenCaption
        if !text.isEmpty, text != FeedItem(url: url).writtenCaption {
            line.append(0x20)
            // The text is cut between characters, so it remains valid UTF-8.
            for character in text {
                guard line.count + character.utf8.count <= limit else { break }
                line += Array(character.utf8)
            }
        }
        line.append(0x0A)
        return line
    }

    private var writtenCaption: String {
        let scalars = caption.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let words = String(text).split(whereSeparator: \.isWhitespace)
        return words.joined(separator: " ")
    }
}
