/// The descriptions of an image from the adjacent files in its archive, as members of a JSON
/// object.
package struct ArchiveNotes {
    let caption: String?
    /// The members except the caption as JSON text, each preceded by a comma.
    private let members: [UInt8]

    private static let limits = JSONLimits(byteCount: 64 << 10, valueCount: 1 << 12, depth: 32)
    /// The keys that may contain the caption, in order of preference.
    private static let captionNames = ["caption", "text", "prompt", "alt"]

    package init(_ notes: [ArchiveLines.Note: [UInt8]]) {
        guard !notes.isEmpty else {
            (caption, members) = (nil, [])
            return
        }
        let text = notes[.text].map(Self.text)
        let classNumber = notes[.classNumber].map(Self.text)
        let object = notes[.object].flatMap { try? JSONValue(parsing: $0, limits: Self.limits) }
        let named = Self.captionNames.compactMap { object?[$0]?.string?.trimmed }
            .first { !$0.isEmpty }
        caption = [text, named, classNumber].compactMap(\.self).first { !$0.isEmpty }
        var parts: [(String, JSONValue)] = []
        if let classNumber { parts.append(("cls", .string(classNumber))) }
        if let objectMembers = object?.members {
            let own = [ArchiveLines.referenceKey, ArchiveLines.captionKey]
            parts += objectMembers.filter { !own.contains($0.name) }.map { ($0.name, $0.value) }
        } else if let object {
            parts.append(("json", object))
        }
        members = parts.flatMap(Self.member)
    }

    /// Returns the members as JSON text, each preceded by a comma.
    ///
    /// If other images have the same caption, `part` is added to it; otherwise, `part` is nil.
    func members(naming part: String?) -> [UInt8] {
        guard let caption else { return members }
        let text = part.map { "\(caption) (\($0))" } ?? caption
        return Self.member(ArchiveLines.captionKey, .string(text)) + members
    }

    private static func member(_ name: String, _ value: JSONValue) -> [UInt8] {
        Array(",\(JSONValue.string(name).description):\(value.description)".utf8)
    }

    private static func text(_ note: [UInt8]) -> String {
        String(decoding: note, as: UTF8.self).trimmed
    }
}
