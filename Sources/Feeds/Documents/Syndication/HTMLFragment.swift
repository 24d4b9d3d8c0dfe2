/// The visible contents of an HTML fragment: its images, and its text without markup.
package struct HTMLFragment {
    package private(set) var pictures: [FeedDocument.Picture] = []
    /// The images that the fragment links to but does not show.
    package private(set) var linked: [FeedDocument.Picture] = []
    /// The text with single spaces between words.
    ///
    /// Truncated after `longestText` bytes, because users do not read further.
    package private(set) var text = ""
    package private(set) var reached: ReachedLimits = []
    /// The base URL that the fragment itself specifies.
    private var base: String?

    private static let longestText = 2_000
    private static let mostPictures = 1_000
    private static let hidden: Set = ["script", "style", "template", "noscript", "head"]
    /// The names of inline elements; all other elements separate the words before and after them.
    private static let inline: Set = [
        "a", "abbr", "b", "cite", "code", "em", "font", "i", "mark", "s", "small", "span", "strong",
        "sub", "sup", "u",
    ]

    private var isPictureName: (String) -> Bool
    /// The target of the open link, or nil if it is not an image.
    private var link: String?
    private var hiddenDepth = 0
    private var needsSpace = false
    /// Whether elements may have background images.
    private var hasBackgrounds = false
    private var scriptless = ScriptlessImages()
    /// Whether the last image was inside a link to an image.
    private var isLastLinked = false

    /// Creates a fragment from markup or plain text.
    ///
    /// `isPictureName` returns whether a link to a file with this name is a link to an image. If
    /// the text is plain, it is only normalized, and libxml2 is not needed.
    package init(
        _ markup: String,
        isPictureName: @escaping (String) -> Bool = { _ in false }
    ) throws(MarkupReader.Unavailable) {
        self.isPictureName = isPictureName
        guard markup.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
        else {
            add(text: markup)
            return
        }
        var fragment = self
        let bytes = Array(markup.utf8)
        fragment.hasBackgrounds = bytes.mayHaveBackgrounds
        _ = try MarkupReader.withHTML(bytes) { reader in
            while let node = reader.next() { fragment.take(node, reader) }
            fragment.reached.formUnion(reader.reached)
        }
        self = fragment
        guard let base else { return }
        changePictures { $0.bases = [base] }
    }

    /// Calls `change` with each image that the fragment shows or links to.
    package mutating func changePictures(_ change: (inout FeedDocument.Picture) -> Void) {
        for index in pictures.indices { change(&pictures[index]) }
        for index in linked.indices { change(&linked[index]) }
    }

    private mutating func take(_ node: MarkupReader.Node, _ reader: borrowing MarkupReader) {
        switch node {
        case .start(let name, let isEmpty):
            let tag = name.local.lowercased()
            if !Self.inline.contains(tag) { needsSpace = true }
            if tag == "img" || tag == "amp-img",
                let picture = FeedDocument.Picture(image: reader.attributes())
            {
                add(picture)
            } else if hasBackgrounds, tag != "img",
                let picture = FeedDocument.Picture(backgroundOf: reader.attributes())
            {
                add(picture)
            }
            if tag == "noscript", !isEmpty { scriptless.start() }
            if tag == "a" { startLink(reader.attributes()) }
            if tag == "base" { base = base ?? reader.attributes()["href"]?.trimmed.nonEmpty }
            if !isEmpty, Self.hidden.contains(tag) { hiddenDepth += 1 }
        case .text(let text):
            if hiddenDepth == 0 { add(text: text) }
        case .end(let name):
            let tag = name.local.lowercased()
            if !Self.inline.contains(tag) { needsSpace = true }
            if Self.hidden.contains(tag) { hiddenDepth -= 1 }
            if tag == "noscript" { scriptless.end() }
            if tag == "a" { endLink() }
        }
    }

    private mutating func add(_ shown: FeedDocument.Picture) {
        guard pictures.count < Self.mostPictures else {
            reached.insert(.pictures)
            return
        }
        if scriptless.replacesLast, let last = pictures.indices.last {
            if isLastLinked {
                pictures[last].take(smallTwin: shown)
            } else {
                pictures[last].take(twin: shown)
            }
            return
        }
        scriptless.noteImage()
        guard let link else {
            isLastLinked = false
            return pictures.append(shown)
        }
        (self.link, isLastLinked) = (nil, true)
        // An image inside a link to an image is a small version of the linked image.
        pictures += FeedDocument.Picture.chosen(
            shown: [shown],
            linked: [FeedDocument.Picture(url: link)]
        )
    }

    private mutating func startLink(_ attributes: [String: String]) {
        endLink()
        guard let address = attributes["href"]?.trimmed, linked.count < Self.mostPictures,
            address.isImageAddress(isPictureName)
        else { return }
        link = address
    }

    private mutating func endLink() {
        guard let link else { return }
        linked.append(FeedDocument.Picture(url: link))
        self.link = nil
    }

    private mutating func add(text more: String) {
        for character in more {
            guard !character.isWhitespace else {
                needsSpace = true
                continue
            }
            scriptless.noteText()
            guard text.utf8.count < Self.longestText else { return }
            if needsSpace, !text.isEmpty { text.append(" ") }
            needsSpace = false
            text.append(character)
        }
    }
}
