/// What a server says of a picture to programs that gather many: the field `X-Robots-Tag`, as search
/// engines have described it (there is no RFC), with the words for training that are in use.
enum RobotsTag {
    static let fieldName = "x-robots-tag"

    /// The words that forbid it, as long as they are for all programs.
    private static let refusals: Set<Substring> = [
        "none", "noindex", "noimageindex", "noai", "noimageai",
    ]
    /// Words with a value; any other name before a colon is a program's.
    private static let valued: Set<Substring> = [
        "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
    ]

    /// The word that forbids it to every program; nil if none does.
    ///
    /// What stands behind the name of a program is for that one, up to the next name.
    static func refusal(in value: String) -> String? {
        var isForAll = true
        for part in value.lowercased().split(separator: ",") {
            var word = part.trimmed
            if let colon = word.firstIndex(of: ":") {
                let name = word[..<colon].trimmed
                if valued.contains(name) { continue }
                isForAll = name == "*"
                word = word[word.index(after: colon)...].trimmed
            }
            if isForAll, refusals.contains(word) { return String(word) }
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0] } ?? ""
    }
}
