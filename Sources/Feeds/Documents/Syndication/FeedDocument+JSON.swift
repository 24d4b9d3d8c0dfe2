extension FeedDocument {
    /// Creates a document from a JSON feed in a supported format; returns nil for any other JSON.
    ///
    /// Supports JSON Feed 1.0 and 1.1, statuses of Mastodon, Pixelfed and similar servers, Bluesky,
    /// and IIIF manifests. A single post is a feed with one item.
    package init?(json: JSONValue, isPictureName: (String) -> Bool) {
        if let version = json["version"]?.string, version.contains("jsonfeed.org/version") {
            self.init(jsonFeed: json, isPictureName)
        } else if let posts = json["feed"]?.array ?? json["posts"]?.array,
            posts.contains(where: { ($0["post"] ?? $0)["record"] != nil })
        {
            self.init(bluesky: posts)
            next = json["cursor"]?.string.map { .parameter(name: "cursor", value: $0) }
        } else if let statuses = json.array ?? json["statuses"]?.array,
            statuses.contains(where: Self.isStatus)
        {
            self.init(statuses: statuses)
        } else if let manifest = FeedDocument(iiif: json) {
            self = manifest
        } else if Self.isStatus(json) {
            self.init(statuses: [json])
        } else {
            return nil
        }
    }

    // MARK: JSON Feed, https://www.jsonfeed.org/version/1.1

    private init(jsonFeed json: JSONValue, _ isPictureName: (String) -> Bool) {
        self.init()
        title = json["title"]?.words
        link = json["home_page_url"]?.string
        next = json["next_url"]?.string.map { .address($0) }
        for item in json["items"]?.array ?? [] {
            var entry = Entry()
            entry.identity = item["id"]?.string ?? item["id"].map { "\($0)" }
            entry.title = item["title"]?.words
            entry.author = Self.author(of: item) ?? Self.author(of: json)
            entry.date = (item["date_published"] ?? item["date_modified"])?.date
            entry.link = item["url"]?.string ?? item["external_url"]?.string
            let content = item["content_html"]?.fragment
            entry.text =
                item["content_text"]?.words ?? content?.text.nonEmpty ?? item["summary"]?.words
            entry.pictures = Picture.unique(Self.pictures(of: item, content, isPictureName))
            entries.append(entry)
        }
        removePlaceholders()
    }

    private static func author(of json: JSONValue) -> String? {
        (json["authors"]?.array?.first ?? json["author"])?["name"]?.words
    }

    /// Returns the attached images.
    ///
    /// If the item has no attached images, returns its own image and then the images in its text.
    /// Attached images are returned alone because the text often repeats them. The item's own image
    /// is not returned twice, even if the text also contains it. If the item links to an image,
    /// `Picture.chosen` selects between this image and the others.
    private static func pictures(
        of item: JSONValue,
        _ content: HTMLFragment?,
        _ isPictureName: (String) -> Bool
    ) -> [Picture] {
        let attached = (item["attachments"]?.array ?? []).compactMap { attachment -> Picture? in
            guard let url = attachment["url"]?.string else { return nil }
            let isPicture =
                attachment["mime_type"]?.string?.hasPrefix("image/")
                ?? isPictureName(String(url.prefix { $0 != "?" && $0 != "#" }))
            guard isPicture else { return nil }
            var picture = Picture(url: url)
            picture.title = attachment["title"]?.words
            return picture
        }
        if !attached.isEmpty { return attached }
        var shown = content?.pictures ?? []
        for index in shown.indices { shown[index].isRelativeToPage = shown[index].bases.isEmpty }
        let own = (item["image"] ?? item["banner_image"])?.string.map { Picture(url: $0) }
        if let own, !shown.contains(where: { $0.url == own.url }) { shown.insert(own, at: 0) }
        let links = [item["external_url"], item["url"]].compactMap { $0?.string }
        var linked = links.filter { $0.isImageAddress(isPictureName) }.map { Picture(url: $0) }
        linked = Array(linked.prefix(1)) + (content?.linked ?? [])
        return Picture.chosen(shown: shown, linked: linked)
    }

    // MARK: Mastodon, https://docs.joinmastodon.org/entities/Status

    private static func isStatus(_ json: JSONValue) -> Bool {
        json["media_attachments"]?.array != nil || json["reblog"]?["media_attachments"] != nil
    }

    private init(statuses: [JSONValue]) {
        self.init()
        for status in statuses {
            // A reblogged status is attributed to its author.
            let status = status["reblog"]?.members == nil ? status : status["reblog"] ?? status
            var entry = Entry()
            entry.identity = status["uri"]?.string ?? status["id"]?.string
            let account = status["account"]
            entry.author = account?["display_name"]?.words ?? account?["acct"]?.words
            entry.date = status["created_at"]?.date
            entry.link = status["url"]?.string ?? status["uri"]?.string
            entry.text = status["content"]?.fragment?.text.nonEmpty
            for attachment in status["media_attachments"]?.array ?? [] {
                guard let url = attachment["url"]?.string ?? attachment["remote_url"]?.string
                else { continue }
                let isPicture = attachment["type"]?.string == "image"
                let preview = attachment["preview_url"]?.string
                // A video is represented by its preview image.
                guard isPicture || preview != nil else { continue }
                var picture = Picture(url: isPicture ? url : preview ?? url)
                let meta = attachment["meta"]
                if isPicture {
                    picture.size = meta?["original"]?.size
                    if let preview, preview != url {
                        let width = meta?["small"]?.size?.width
                        picture.versions = [Picture.Version(url: preview, width: width)]
                    }
                } else {
                    picture.size = meta?["small"]?.size
                }
                picture.alternativeText = attachment["description"]?.words
                picture.blurHash = attachment["blurhash"]?.string
                entry.pictures.append(picture)
            }
            entries.append(entry)
        }
    }

    // MARK: Bluesky, https://docs.bsky.app/docs/api/app-bsky-feed-get-author-feed

    private init(bluesky posts: [JSONValue]) {
        self.init()
        for item in posts {
            let post = item["post"] ?? item
            var entry = Entry()
            let author = post["author"]
            entry.identity = post["uri"]?.string
            entry.author = author?["displayName"]?.words ?? author?["handle"]?.words
            entry.date = (post["record"]?["createdAt"] ?? post["indexedAt"])?.date
            entry.text = post["record"]?["text"]?.words
            entry.link = Self.page(of: post, author)
            for image in Self.images(of: post["embed"]) {
                guard let url = image["fullsize"]?.string else { continue }
                var picture = Picture(url: url)
                let thumbnail = image["thumb"]?.string ?? image["thumbnail"]?.string
                picture.versions = thumbnail.map { [Picture.Version(url: $0)] } ?? []
                picture.size = image["aspectRatio"]?.size
                picture.alternativeText = image["alt"]?.words
                entry.pictures.append(picture)
            }
            entries.append(entry)
        }
    }

    /// Returns the images of a post: `app.bsky.embed.images` has up to four, and
    /// `app.bsky.embed.gallery` up to ten.
    ///
    /// In a post that quotes another post, the images are nested one level deeper.
    private static func images(of embed: JSONValue?) -> [JSONValue] {
        let inner = embed?["media"]
        let embed = inner?.members == nil ? embed : inner
        return ["images", "items", "media"].lazy.compactMap { embed?[$0]?.array }.first ?? []
    }

    /// Returns the URL of a post's page.
    ///
    /// The URL contains the key of the post, which is the last part of its identifier
    /// "at://did/app.bsky.feed.post/KEY".
    private static func page(of post: JSONValue, _ author: JSONValue?) -> String? {
        guard let handle = author?["handle"]?.string,
            let key = post["uri"]?.string?.split(separator: "/").last
        else { return nil }
        return "https://bsky.app/profile/\(handle)/post/\(key)"
    }
}

extension JSONValue {
    /// The plain text without surrounding white space, or nil if it is empty.
    fileprivate var words: String? { string?.trimmed.nonEmpty }

    fileprivate var fragment: HTMLFragment? {
        string.flatMap { text in
            try? HTMLFragment(text) { PictureNames.endsAsPicture($0.utf8) }
        }
    }

    /// The size in the members `width` and `height`, or nil if one of them is missing or invalid.
    package var size: (width: Int, height: Int)? {
        guard let width = self["width"]?.whole, let height = self["height"]?.whole else {
            return nil
        }
        return (width, height)
    }

    /// A number of pixels from 1 to 2²⁰, or nil for other values.
    private var whole: Int? {
        text.flatMap { Int($0) }.flatMap { (1...1 << 20).contains($0) ? $0 : nil }
    }

    fileprivate var date: Int? { string.flatMap(FeedDate.seconds) }
}
