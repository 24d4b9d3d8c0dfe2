import ImageLoading

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
        let written = attributes["src"]?.trimmed.nonEmpty
        let late = Self.value(Self.lateSources, in: attributes)
        let hidden = late == nil ? Self.hiddenURL(in: attributes) : nil
        let isPlaceholder = written.map(Self.isPlaceholder) ?? true
        let address = late ?? (isPlaceholder ? hidden ?? written : written)
        guard let largest = candidates.max(by: Self.isSmaller) else {
            guard let address, !address.isEmptyImage else { return nil }
            self.init(url: address)
            take(attributes)
            shownWidth = width
            hiddenURL = address == written ? hidden : nil
            isShown = true
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

    /// The names, without suffix, of placeholder images that a script replaces.
    private static let placeholders: Set = [
        "1x1", "blank", "clear", "dot", "empty", "gray", "grey", "lazy", "lazyload", "loader",
        "loading", "pixel", "placeholder", "spacer", "trans", "transparent",
    ]

    /// Words in the names of attributes that contain the URL of a smaller version of the image.
    private static let smaller = [
        "avatar", "blur", "icon", "lqip", "medium", "placeholder", "preview", "small", "thumb",
    ]

    /// Returns whether a script usually replaces the image at a URL.
    package static func isPlaceholder(_ url: String) -> Bool {
        if url.isData { return true }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last ?? ""
        return placeholders.contains(name.prefix { $0 != "." }.lowercased())
    }

    /// Returns an image URL from an attribute that only scripts read, such as `data-src`.
    ///
    /// There are dozens of such attributes. If an element has several, the alphabetically first one
    /// is used.
    private static func hiddenURL(in attributes: [String: String]) -> String? {
        let names = attributes.keys.filter { name in
            (name.hasPrefix("data-") || name.contains("lazy") || name.contains("late"))
                && !smaller.contains(where: name.contains)
        }
        return names.sorted().lazy.compactMap { attributes[$0]?.trimmed }.first { value in
            !value.utf8.contains { $0 == 0x20 || $0 == UInt8(ascii: "{") }
                && value.isImageAddress { PictureNames.endsAsPicture($0.utf8) }
        }
    }

    /// Creates the background image of an element; returns nil if it has none.
    package init?(backgroundOf attributes: [String: String]) {
        let names = ["data-bg", "data-background", "data-background-image", "data-bg-image"]
        let late = Self.value(names, in: attributes)
        guard let value = late ?? attributes["style"].flatMap(Self.background) else { return nil }
        let url = Self.styleURL(value) ?? value
        guard !url.isData, late != nil || PictureNames.isPicture(url) else { return nil }
        self.init(url: url)
        isShown = true
    }

    /// Returns the part of a style after "background".
    private static func background(_ style: String) -> String? {
        guard let start = style.lowercased().firstRange(of: "background") else { return nil }
        let rest = style.utf8.dropFirst(
            style.utf8.distance(from: style.startIndex, to: start.lowerBound)
        )
        return String(Substring(rest))
    }

    /// Returns the URL in the first `url(…)` of a style.
    private static func styleURL(_ style: String) -> String? {
        guard let start = style.firstRange(of: "url(") else { return nil }
        let inside = style[start.upperBound...].prefix { $0 != ")" }
        return inside.trimmingPrefix { " \"'".contains($0) }.split { "\"' ".contains($0) }.first
            .map(String.init)
    }

    /// Replaces this image with its `noscript` version, which follows it in the page.
    package mutating func take(twin: Self) {
        guard twin.url != url, !twin.url.isData, !versions.contains(where: { $0.url == twin.url })
        else { return }
        versions =
            Self.isPlaceholder(url)
            ? twin.versions : [Version(url: url, width: shownWidth)] + twin.versions
        url = twin.url
        hiddenURL = nil
    }

    /// Adds the `noscript` version, which follows this linked image in the page, as a small
    /// variant.
    package mutating func take(smallTwin twin: Self) {
        versions.removeAll { Self.isPlaceholder($0.url) }
        let known = [url] + versions.map(\.url)
        guard !known.contains(twin.url), !twin.url.isData else { return }
        versions.append(Version(url: twin.url, width: twin.shownWidth))
    }

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

extension FeedDocument {
    /// The number of entries in which an image must appear to be considered a placeholder.
    private static let repetitions = 3

    /// Replaces or removes images that appear in the text of at least three entries.
    ///
    /// If a script would show another image instead, that image is used. Otherwise, the image is
    /// removed if it is named like a placeholder, or if its entry has other images. An image that
    /// accompanies the images of several entries is a decoration.
    package mutating func removePlaceholders() {
        var counts: [String: Int] = [:]
        for entry in entries {
            for picture in entry.pictures where picture.isShown {
                counts[picture.url, default: 0] += 1
            }
        }
        guard counts.values.contains(where: { $0 >= Self.repetitions }) else { return }
        for index in entries.indices {
            var pictures = entries[index].pictures
            for place in pictures.indices where isRepeated(pictures[place]) {
                pictures[place].url = pictures[place].hiddenURL ?? pictures[place].url
            }
            let hasOthers = pictures.contains { !isRepeated($0) }
            pictures.removeAll { picture in
                isRepeated(picture) && (hasOthers || Picture.isPlaceholder(picture.url))
            }
            if kind == .entries || !pictures.isEmpty { entries[index].pictures = pictures }
        }
        if kind == .page {
            entries.removeAll {
                isRepeated($0.pictures[0]) && Picture.isPlaceholder($0.pictures[0].url)
            }
        }

        func isRepeated(_ picture: Picture) -> Bool {
            picture.isShown && counts[picture.url, default: 0] >= Self.repetitions
        }
    }
}

extension FeedDocument.Picture {
    /// Returns the images without repeated URLs.
    static func unique(_ pictures: [Self]) -> [Self] {
        var seen: Set<String> = []
        return pictures.filter { seen.insert($0.url).inserted }
    }

    /// Selects the images of an item from those that its text shows and those that it links to.
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

    /// Whether the URL contains an empty image: at most 2×2 pixels, a short SVG, or no comma before
    /// the content.
    ///
    /// A page shows such an image until a script replaces it.
    fileprivate var isEmptyImage: Bool {
        guard isData else { return false }
        guard let comma = utf8.prefix(128).firstIndex(of: UInt8(ascii: ",")) else { return true }
        let type = self[..<comma].lowercased()
        if type.contains("svg") { return utf8.count < 256 }
        // The sizes are in the first 24 bytes of GIF and PNG files.
        let start = self[comma...].dropFirst().prefix(32)
        guard type.hasSuffix(";base64"), start.count >= 16,
            let head = try? ImageURL(parsing: "data:;base64,\(start)", origin: .local),
            let bytes = try? head.inlineBody(), bytes.count >= 10
        else { return utf8.count < 64 }
        if type.contains("gif") {
            return [6, 8].allSatisfy { bytes[$0] <= 2 && bytes[$0 + 1] == 0 }
        }
        guard type.contains("png"), bytes.count >= 24 else { return false }
        return bytes[16..<24].allSatisfy { $0 <= 2 } && bytes[19] > 0 && bytes[23] > 0
            && [16, 17, 18, 20, 21, 22].allSatisfy { bytes[$0] == 0 }
    }

    /// Whether the URL contains the image itself.
    package var isData: Bool { utf8.count >= 5 && prefix(5).lowercased() == "data:" }
}
