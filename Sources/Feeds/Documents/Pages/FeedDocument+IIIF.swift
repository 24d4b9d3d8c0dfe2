/// Methods that read manifests of the International Image Interoperability Framework.
///
/// A manifest lists the pages of a book or the photographs of a collection. See
/// https://iiif.io/api/presentation/, versions 2 and 3.
extension FeedDocument {
    /// Creates a document from a manifest; returns nil for any other JSON.
    ///
    /// Each canvas, such as a page of a book, becomes an item. If the server scales images to any
    /// size, common widths are added as variants.
    package init?(iiif json: JSONValue) {
        guard Self.isIIIF(json["@context"]) else { return nil }
        let canvases: [JSONValue]
        if json["type"]?.string == "Manifest" {
            canvases = json["items"]?.array ?? []
        } else if json["@type"]?.string == "sc:Manifest" {
            canvases = (json["sequences"]?.array ?? []).first?["canvases"]?.array ?? []
        } else {
            return nil
        }
        self.init()
        title = Self.words(json["label"])
        for canvas in canvases {
            var entry = Entry()
            entry.title = Self.words(canvas["label"])
            entry.pictures = Self.bodies(of: canvas).compactMap(Self.picture)
            entries.append(entry)
        }
    }

    private static func isIIIF(_ context: JSONValue?) -> Bool {
        let texts = [context?.string] + (context?.array ?? []).map(\.string)
        return texts.contains { $0?.contains("iiif.io/api/presentation/") == true }
    }

    /// Returns the images of a canvas: the body of each annotation (version 3) and the resource of
    /// each image (version 2).
    ///
    /// If there are several choices, returns only one of them.
    private static func bodies(of canvas: JSONValue) -> [JSONValue] {
        let pages = canvas["items"]?.array ?? []
        let annotations = pages.flatMap { $0["items"]?.array ?? [] }
        let bodies = annotations.compactMap { annotation -> JSONValue? in
            let body = annotation["body"]
            let first = body?.array?.first ?? body
            return first?["type"]?.string == "Choice" ? first?["items"]?.array?.first : first
        }
        let resources = (canvas["images"]?.array ?? []).compactMap { image -> JSONValue? in
            let resource = image["resource"]
            return resource?["@type"]?.string == "oa:Choice" ? resource?["default"] : resource
        }
        return bodies + resources
    }

    private static func picture(_ body: JSONValue) -> Picture? {
        let type = (body["type"] ?? body["@type"])?.string
        guard type == nil || type == "Image" || type == "dctypes:Image",
            let address = (body["id"] ?? body["@id"])?.string
        else { return nil }
        var picture = Picture(url: address)
        picture.size = body.size
        let services = body["service"]?.array ?? [body["service"]].compactMap(\.self)
        guard let service = services.first(where: isImageService),
            let base = (service["id"] ?? service["@id"])?.string
        else { return picture }
        let start = base.hasSuffix("/") ? String(base.dropLast()) : base
        let largest = picture.size?.width ?? .max
        picture.versions = [150, 300, 600, 1200].filter { $0 < largest }.map { (width: Int) in
            Picture.Version(url: "\(start)/full/\(width),/0/default.jpg", width: width)
        }
        return picture
    }

    /// Returns whether a service scales images to any size.
    ///
    /// A level 0 service provides only fixed sizes.
    private static func isImageService(_ service: JSONValue) -> Bool {
        let profile = service["profile"]?.string ?? service["profile"]?.array?.first?.string ?? ""
        let type = (service["type"] ?? service["@type"])?.string ?? ""
        let context = service["@context"]?.string ?? ""
        let isImage =
            type.hasPrefix("ImageService") || context.contains("/api/image/")
            || profile.contains("/api/image/") || profile.contains("/image-api/")
        return isImage && !profile.hasSuffix("level0") && !profile.hasSuffix("level0.json")
            && !profile.contains("#level0")
    }

    /// Returns the text of a label.
    ///
    /// If the label contains several strings, returns the first one, preferably in English.
    private static func words(_ label: JSONValue?) -> String? {
        guard let label else { return nil }
        if let text = label.text { return text.trimmed.nonEmpty }
        if let value = label["@value"] { return words(value) }
        if let values = label.array { return values.lazy.compactMap(words).first }
        let members = label.members ?? []
        let best =
            ["en", "none", "@none"].lazy.compactMap { label[$0] }.first ?? members.first?.value
        return best.flatMap(words)
    }
}
