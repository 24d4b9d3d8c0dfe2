/// Replaces the `feDropShadow` filter primitive in SVG documents.
///
/// librsvg 2.54 does not support the primitive and omits every element that uses it. The
/// replacement consists of the primitives that define `feDropShadow` (Filter Effects Module Level
/// 1, section 9.10): the image is blurred, moved, colored and drawn below itself.
struct SVGDropShadows {
    private static let name = Array("<feDropShadow".utf8)
    private static let endTag = Array("</feDropShadow".utf8)
    /// The attributes that apply to every primitive of the replacement.
    private static let common = [
        "x", "y", "width", "height", "style", "class", "color-interpolation-filters",
    ]

    private let document: UnsafeBufferPointer<UInt8>
    private let limit: Int
    private var position = 0
    private var output: [UInt8] = []
    private var count = 0

    /// Returns the document without `feDropShadow`, or nil if the document does not contain it or
    /// the result has more than `limit` bytes.
    ///
    /// UTF-16 documents are not searched.
    static func replaced(in document: UnsafeBufferPointer<UInt8>, limit: Int) -> [UInt8]? {
        var shadows = SVGDropShadows(document: document, limit: limit)
        return shadows.replaceAll() ? shadows.output : nil
    }

    private init(document: UnsafeBufferPointer<UInt8>, limit: Int) {
        self.document = document
        self.limit = limit
    }

    private mutating func replaceAll() -> Bool {
        while let start = offset(of: Self.name) {
            output += document[position..<start]
            position = start + Self.name.count
            guard position < document.count, Self.endsName(document[position]) else {
                output += Self.name
                continue
            }
            guard let primitive = readPrimitive() else { return false }
            // The replacement contains up to six copies of each attribute.
            guard output.count + (position - start) * 6 <= limit else { return false }
            output += Array(replacement(of: primitive).utf8)
            guard output.count <= limit else { return false }
        }
        guard count > 0 else { return false }
        output += document[position...]
        return output.count <= limit
    }

    private func offset(of text: [UInt8]) -> Int? { document.offset(of: text, from: position) }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") || byte.isSpace
    }

    /// Reads the attributes, each with its value in quotes, and skips the content of the primitive.
    ///
    /// Returns nil if the primitive is not complete.
    private mutating func readPrimitive() -> [String: String]? {
        var attributes: [String: String] = [:]
        while position < document.count {
            let byte = document[position]
            position += 1
            if byte == UInt8(ascii: ">") {
                guard document[position - 2] != UInt8(ascii: "/") else { return attributes }
                guard let end = offset(of: Self.endTag) else { return nil }
                position = end
                guard let close = document[end...].firstIndex(of: UInt8(ascii: ">")) else {
                    return nil
                }
                position = close + 1
                return attributes
            }
            guard byte != UInt8(ascii: "/"), !byte.isSpace else { continue }
            guard let (name, value) = readAttribute(from: position - 1) else { return nil }
            attributes[name] = value
        }
        return nil
    }

    private mutating func readAttribute(from start: Int) -> (name: String, value: String)? {
        guard let equals = document[start...].firstIndex(of: UInt8(ascii: "=")),
            let open = document[(equals + 1)...].firstIndex(where: { !$0.isSpace }),
            document[open] == UInt8(ascii: "\"") || document[open] == UInt8(ascii: "'"),
            let close = document[(open + 1)...].firstIndex(of: document[open])
        else { return nil }
        position = close + 1
        let name = document[start..<equals].filter { !$0.isSpace }
        return (
            String(decoding: name, as: UTF8.self),
            String(decoding: document[open...close], as: UTF8.self)
        )
    }

    private mutating func replacement(of attributes: [String: String]) -> String {
        count += 1
        func text(_ names: [String]) -> String {
            names.compactMap { name in attributes[name].map { " \(name)=\($0)" } }.joined()
        }
        let common = text(Self.common)
        let (source, shadow) = ("termgallery-\(count)", "termgallery-\(count)-shadow")
        let deviation = attributes["stdDeviation"] ?? "\"2\""
        let (dx, dy) = (attributes["dx"] ?? "\"2\"", attributes["dy"] ?? "\"2\"")
        return """
            <feOffset dx="0" dy="0"\(text(["in"]))\(common) result="\(source)"/>\
            <feGaussianBlur in="\(source)" stdDeviation=\(deviation)\(common)/>\
            <feOffset dx=\(dx) dy=\(dy)\(common) result="\(shadow)"/>\
            <feFlood\(text(["flood-color", "flood-opacity"]))\(common)/>\
            <feComposite in2="\(shadow)" operator="in"\(common)/>\
            <feMerge\(text(["result"]))\(common)>\
            <feMergeNode/><feMergeNode in="\(source)"/></feMerge>
            """
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the offset of the first occurrence of `text` at or after `start`, or nil if there is
    /// none.
    func offset(of text: [UInt8], from start: Int) -> Int? {
        var start = start
        let last = count - text.count
        while start <= last {
            guard let found = self[start...last].firstIndex(of: text[0]) else { return nil }
            if self[found..<found + text.count].elementsEqual(text) { return found }
            start = found + 1
        }
        return nil
    }
}
