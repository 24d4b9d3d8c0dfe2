/// Methods that read images from `img` and `source` elements.
extension FeedDocument.Picture {
    /// Creates the image of an `img` element; returns nil for a tracking pixel or an image without
    /// a URL.
    ///
    /// `source` contains the attributes of a `source` element in the enclosing `picture` element.
    /// They take precedence over the attributes of the `img` element. The largest variant becomes
    /// the image.
    package init?(image attributes: [String: String], source: [String: String]? = nil) {
        let width = Self.pixels(attributes["width"])
        let sides = [width, Self.pixels(attributes["height"])]
        guard !sides.contains(where: { ($0 ?? .max) <= 2 }) else { return nil }
        let own = Self.candidates(attributes)
        let set = source.map(Self.candidates) ?? []
        let candidates = (set.isEmpty ? own : set).filter { !$0.url.isData }
        let late = Self.value(Self.lateSources, in: attributes)
        let address = late ?? attributes["src"]?.trimmed.nonEmpty
        guard let largest = candidates.max(by: Self.isSmaller) else {
            guard let address else { return nil }
            self.init(url: address)
            take(attributes)
            shownWidth = width
            return
        }
        self.init(url: largest.url)
        take(attributes)
        shownWidth = largest.width
        var known: Set = [largest.url]
        for candidate in candidates where known.insert(candidate.url).inserted {
            let scaled = width.map { max(1, Int(min(Double($0) * (candidate.density ?? 1), 1e6))) }
            versions.append(Version(url: candidate.url, width: candidate.width ?? scaled))
        }
        // If the other variants have known widths, the image in `src` cannot be compared with them.
        guard let address, !address.isData, largest.width == nil, known.insert(address).inserted
        else { return }
        versions.append(Version(url: address, width: width))
    }

    /// The attributes that scripts copy into `src` when the image is about to be displayed.
    private static let lateSources = [
        "data-src", "data-lazy-src", "data-original", "data-full-src", "data-original-src",
        "data-lazyload", "data-bg", "data-orig-file", "data-large-file",
    ]

    private mutating func take(_ attributes: [String: String]) {
        alternativeText = attributes["alt"]?.trimmed.nonEmpty
        title = attributes["title"]?.trimmed.nonEmpty
    }

    /// Returns the image candidates of an element, preferably from `data-srcset`.
    ///
    /// Pages that load images lazily have at most a placeholder in `srcset`.
    private static func candidates(_ attributes: [String: String]) -> [SourceSet.Candidate] {
        let text = value(["data-srcset", "data-lazy-srcset", "srcset"], in: attributes)
        return text.map { SourceSet($0).candidates } ?? []
    }

    private static func value(_ names: [String], in attributes: [String: String]) -> String? {
        names.lazy.compactMap { attributes[$0]?.trimmed.nonEmpty }.first
    }

    private static func isSmaller(_ one: SourceSet.Candidate, _ other: SourceSet.Candidate) -> Bool
    {
        (one.width ?? 0, one.density ?? 1) < (other.width ?? 0, other.density ?? 1)
    }

    /// Parses a length such as "120" or "120px"; returns nil for other units.
    package static func pixels(_ text: String?) -> Int? {
        guard let text = text?.trimmed else { return nil }
        let number = text.hasSuffix("px") ? text.dropLast(2) : text[...]
        return Int(number).flatMap { $0 >= 0 ? min($0, 1 << 20) : nil }
    }
}

extension FeedDocument.Picture {
    /// Selects the images of an item from the images that its text shows and the images to which it
    /// links.
    ///
    /// If an entry is about one image, its text may contain a thumbnail and a link to the image.
    /// The result is then the linked image, with the thumbnail as a variant.
    package static func chosen(
        shown: [Self],
        linked: [Self],
        thumbnails: [Version] = []
    ) -> [Self] {
        guard var picture = linked.first, linked.allSatisfy({ $0.url == picture.url }),
            shown.count <= 1, shown.first?.url != picture.url
        else { return shown.isEmpty ? linked : shown }
        if let small = shown.first {
            let version = Version(url: small.url, width: small.shownWidth)
            picture.versions = [version] + small.versions
            picture.title = small.title
            picture.alternativeText = small.alternativeText
        }
        for version in thumbnails where !picture.versions.contains(where: { $0.url == version.url })
        {
            picture.versions.append(version)
        }
        return [picture]
    }
}

extension String {
    /// Returns whether a URL seems to refer to an image.
    ///
    /// Names that contain a colon are rejected, because "File:a.jpg" on a MediaWiki site is the
    /// page about an image.
    package func isImageAddress(_ isPictureName: (String) -> Bool) -> Bool {
        guard !isData else { return false }
        let path = prefix { $0 != "?" && $0 != "#" }
        guard let name = path.split(separator: "/").last, !name.contains(":") else { return false }
        return isPictureName(String(name))
    }

    /// Whether the URL contains the image itself.
    package var isData: Bool { utf8.count >= 5 && prefix(5).lowercased() == "data:" }
}
