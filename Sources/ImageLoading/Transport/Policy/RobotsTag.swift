/// The field `X-Robots-Tag`, in which a server restricts programs that collect images.
///
/// The syntax follows the documentation of search engines, because there is no RFC. The words that
/// forbid training (`noai`, `noimageai`) are in common use.
enum RobotsTag {
    static let fieldName = "x-robots-tag"

    /// The words that forbid collecting the image if they apply to all programs.
    private static let refusals: Set<Substring> = [
        "none", "noindex", "noimageindex", "noai", "noimageai",
    ]
    /// Words with a value; any other name before a colon is the name of a program.
    private static let valued: Set<Substring> = [
        "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
    ]

    /// Returns the word that forbids every program from collecting the image, or nil if there is no
    /// such word.
    ///
    /// Words after the name of a program apply only to that program, up to the next name.
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
