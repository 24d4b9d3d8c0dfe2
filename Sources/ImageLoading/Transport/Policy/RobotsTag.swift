/// The `X-Robots-Tag` header field, which restricts programs that collect images.
///
/// There is no RFC, so the syntax follows search engine documentation. The words `noai` and
/// `noimageai`, which forbid training, are in common use.
enum RobotsTag {
    static let fieldName = "x-robots-tag"

    /// The words that forbid collecting the image if they apply to all programs.
    private static let refusals: Set<Substring> = [
        "none", "noindex", "noimageindex", "noai", "noimageai",
    ]
    /// The words that have a value; any other word before a colon is the name of a program.
    private static let valued: Set<Substring> = [
        "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
    ]

    /// Returns the word that forbids all programs from collecting the image, or nil.
    ///
    /// The words after the name of a program apply only to that program, up to the next name.
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
