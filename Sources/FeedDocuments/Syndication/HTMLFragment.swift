/// The visible contents of an HTML fragment: its images, and its text without markup.
struct HTMLFragment {
    private(set) var pictures: [FeedDocument.Picture] = []
    /// The text with single spaces, truncated after `longestText` bytes, where users stop reading.
    private(set) var text = ""
    private(set) var reached: ReachedLimits = []
    /// The base URL that the fragment itself specifies.
    private var base: String?

    private static let longestText = 2_000
    private static let mostPictures = 1_000
    private static let hidden: Set = ["script", "style", "template", "noscript", "head"]
    /// Elements within a line; all others separate the words before and after them.
    private static let inline: Set = [
        "a", "abbr", "b", "cite", "code", "em", "font", "i", "mark", "s", "small", "span", "strong",
        "sub", "sup", "u",
    ]

    private var hiddenDepth = 0
    private var needsSpace = false

    /// Creates a fragment from markup; plain text is only normalized, which does not need the
    /// library.
    init(_ markup: String) throws(MarkupReader.Unavailable) {
        guard markup.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
        else {
            add(text: markup)
            return
        }
        var fragment = self
        _ = try MarkupReader.withHTML(Array(markup.utf8)) { reader in
            while let node = reader.next() { fragment.take(node, reader) }
            fragment.reached.formUnion(reader.reached)
        }
        self = fragment
        guard let base else { return }
        for index in pictures.indices { pictures[index].bases = [base] }
    }

    /// Changes each image.
    mutating func changePictures(_ change: (inout FeedDocument.Picture) -> Void) {
        for index in pictures.indices { change(&pictures[index]) }
    }

    private mutating func take(_ node: MarkupReader.Node, _ reader: borrowing MarkupReader) {
        switch node {
        case .start(let name, let isEmpty):
            let tag = name.local.lowercased()
            if !Self.inline.contains(tag) { needsSpace = true }
            if tag == "img", let picture = FeedDocument.Picture(image: reader.attributes()) {
                if pictures.count < Self.mostPictures {
                    pictures.append(picture)
                } else {
                    reached.insert(.pictures)
                }
            }
            if tag == "base" { base = base ?? reader.attributes()["href"]?.trimmed.nonEmpty }
            if !isEmpty, Self.hidden.contains(tag) { hiddenDepth += 1 }
        case .text(let text):
            if hiddenDepth == 0 { add(text: text) }
        case .end(let name):
            let tag = name.local.lowercased()
            if !Self.inline.contains(tag) { needsSpace = true }
            if Self.hidden.contains(tag) { hiddenDepth -= 1 }
        }
    }

    private mutating func add(text more: String) {
        for character in more {
            guard !character.isWhitespace else {
                needsSpace = true
                continue
            }
            guard text.utf8.count < Self.longestText else { return }
            if needsSpace, !text.isEmpty { text.append(" ") }
            needsSpace = false
            text.append(character)
        }
    }
}
