/// The keys or columns that contain image URLs and captions, detected by their names and values.
package struct RecordNames {
    /// A key or column with its values in the examined records.
    package struct Candidate {
        /// The name of the column, or a dotted path.
        package let name: String
        package var values: [String] = []

        /// The last component of the name that is not a number, in the singular: "url" for
        /// `media.0.url` and `urls.0`.
        fileprivate var word: String {
            let parts = name.split(separator: ".").filter { Int($0) == nil }
            let last = RecordNames.simplified(parts.last.map(String.init) ?? name)
            let isPlural = last.hasSuffix("s") && parts.count < name.split(separator: ".").count
            return isPlural ? String(last.dropLast()) : last
        }

        fileprivate var depth: Int { name.count { $0 == "." } }

        /// The path of the object or array that contains the value.
        fileprivate var parent: Substring {
            name.lastIndex(of: ".").map { name[..<$0] } ?? ""
        }

        fileprivate func holds(_ test: (String) -> Bool) -> Bool {
            let filled = values.filter { !$0.isEmpty }
            return !filled.isEmpty && filled.count(where: test) * 2 >= filled.count
        }
    }

    package let url: String?
    package let caption: String?

    /// Selects the keys or columns of the URL and the caption.
    ///
    /// The candidates must be in the order of the feed.
    package init(_ candidates: [Candidate]) {
        let url = Self.address(candidates)
        self.url = url?.name
        caption = url.flatMap { Self.caption(candidates, of: $0) }?.name
    }

    /// Returns the name of the caption key or column for a URL key or column that the user
    /// specified.
    package static func caption(_ candidates: [Candidate], ofAddress name: String) -> String? {
        caption(candidates, of: Candidate(name: name))?.name
    }

    /// Returns the normalized form of a name: "Image URL", "image_url" and "imageUrl" all become
    /// "imageurl".
    package static func simplified(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private static let addressWords = [
        "url", "bytes", "b64json", "base64", "cocourl", "imageurl", "imgurl", "pictureurl",
        "photourl", "image", "img", "picture", "photo", "src", "mediaurl", "media", "fileurl",
        "contenturl", "downloadurl", "displayurl",
        "originalurl", "original", "fullurl", "full", "largeurl", "large", "uri", "href", "link",
        "thumbnailurl", "thumburl", "thumbnail", "thumb", "previewurl", "preview", "imagepath",
        "filepath", "path", "imagefile", "filename", "file",
    ]
    private static let captionWords = [
        "caption", "title", "alt", "alttext", "description", "label", "headline", "summary",
        "prompt", "text", "name",
    ]
    /// The names of keys and columns that contain other images, such as author portraits and site
    /// icons.
    private static let otherWords: Set = [
        "avatar", "avatarurl", "icon", "iconurl", "favicon", "logo", "logourl", "profileimage",
        "profileimageurl", "badge",
    ]

    /// Returns whether a name is typical of a column that contains URLs.
    package static func isForAddresses(_ name: String) -> Bool {
        addressWords.contains(simplified(name))
    }

    /// Returns the rank of a name in the list of names, or nil if the name does not suggest URLs.
    ///
    /// Names such as "photo_url_full" have the rank of "uri".
    private static func rank(of word: String) -> Int? {
        addressWords.firstIndex(of: word)
            ?? (word.contains("url") ? addressWords.firstIndex(of: "uri") : nil)
    }

    private static func address(_ candidates: [Candidate]) -> Candidate? {
        let ranked = candidates.compactMap { candidate -> (rank: [Int], candidate: Candidate)? in
            let word = candidate.word
            let known = rank(of: word)
            let isPicture = candidate.holds(PictureNames.isPicture)
            let isAddress = candidate.holds(PictureNames.isAddress)
            let isOther = otherWords.contains(word) || candidate.parent == "user"
            guard isPicture || (isAddress && known != nil) else { return nil }
            let rank = [
                isOther ? 1 : 0, isPicture ? 0 : 1, known ?? addressWords.count, candidate.depth,
            ]
            return (rank, candidate)
        }
        // `min` returns the first of equal elements.
        return ranked.min { $0.rank.lexicographicallyPrecedes($1.rank) }?.candidate
    }

    /// Returns the key or column of the caption in the same object as the URL.
    ///
    /// If that object has no caption, returns the key of a caption at the top level.
    private static func caption(_ candidates: [Candidate], of url: Candidate) -> Candidate? {
        let ranked = candidates.compactMap { candidate -> (rank: [Int], candidate: Candidate)? in
            let isBeside = candidate.parent == url.parent
            guard candidate.name != url.name, isBeside || candidate.depth == 0,
                let known = captionWords.firstIndex(of: candidate.word),
                candidate.values.contains(where: { !$0.isEmpty }),
                !candidate.holds(PictureNames.isAddress)
            else { return nil }
            return ([isBeside ? 0 : 1, known], candidate)
        }
        return ranked.min { $0.rank.lexicographicallyPrecedes($1.rank) }?.candidate
    }
}
