package import Feeds
internal import ImageLoading

/// A namespace for formatting an image and the details from its feed as a JSON object that other
/// programs can read.
package enum PictureRecord {
    /// Returns the JSON object of an item on one line.
    ///
    /// The object contains the path of a local file, or the URL without user name and password. It
    /// also contains the caption, the label, and the details that `members` returns.
    static func line(_ item: FeedItem, label: UInt8?, labelName: String?) -> String {
        var parts: [String] = []
        let path = PictureAddress.path(ofURL: item.url).flatMap {
            String(validating: $0, as: UTF8.self)
        }
        if let path {
            parts.append(member("path", path))
        } else {
            parts.append(member("url", PictureAddress.of(item.url)))
        }
        parts.append(member("caption", item.caption))
        if let label { parts.append("\"label\":\(label)") }
        if let labelName { parts.append(member("name", labelName)) }
        return "{" + (parts + members(item.details)).joined(separator: ",") + "}"
    }

    /// Returns the details from the feed as members of a JSON object.
    ///
    /// The details do not include the URL and the caption.
    package static func members(_ details: FeedItemDetails?) -> [String] {
        guard let details else { return [] }
        var parts: [String] = []
        let texts = [
            ("title", details.title), ("author", details.author),
            ("date", details.date.map(RecordDate.iso)), ("alt", details.alternativeText),
            ("link", details.link),
        ]
        for (name, text) in texts {
            if let text { parts.append(member(name, text)) }
        }
        if !details.fields.isEmpty {
            let fields = details.fields.map { field in
                field.isJSON
                    ? "\(quoted(field.name)):\(field.value)" : member(field.name, field.value)
            }
            parts.append("\"fields\":{\(fields.joined(separator: ","))}")
        }
        return parts
    }

    package static func member(_ name: String, _ text: String) -> String {
        "\(quoted(name)):\(quoted(text))"
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).description }
}
