/// The `Link` field of a response (RFC 8288), with URLs and their relations to the document.
package enum LinkHeader {
    /// Returns the first URL with a relation such as "next", or nil if no URL has that relation.
    ///
    /// Several lines of the field are joined with commas; URLs and quoted strings may also contain
    /// commas.
    package static func address(relation: String, in field: String) -> String? {
        var rest = field.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[rest.index(after: start)...]
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            let address = String(Substring(rest[..<end]))
            rest = rest[rest.index(after: end)...]
            let parameters = parameters(&rest)
            // If there are several `rel` parameters, the first is used.
            let relations = parameters.first { $0.name == "rel" }?.value ?? ""
            let isOther = parameters.contains { $0.name == "anchor" }
            let words = relations.lowercased().split(whereSeparator: \.isWhitespace)
            if !isOther, words.contains(relation[...]) { return address.trimmed.nonEmpty }
        }
        return nil
    }

    /// Returns the parameters after a URL, up to the next comma.
    private static func parameters(
        _ rest: inout Substring.UTF8View
    ) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        var text: [UInt8] = []
        var isQuoted = false
        func end() {
            let part = String(decoding: text, as: UTF8.self)
            text = []
            let name = part.prefix { $0 != "=" }
            let value = part.dropFirst(name.count + 1)
            parameters.append((String(name).trimmed.lowercased(), String(value).trimmed))
        }
        var index = rest.startIndex
        while index < rest.endIndex {
            let byte = rest[index]
            if !isQuoted, byte == UInt8(ascii: ",") { break }
            rest.formIndex(after: &index)
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted && index < rest.endIndex:
                text.append(rest[index])
                rest.formIndex(after: &index)
            case UInt8(ascii: ";") where !isQuoted: end()
            default: text.append(byte)
            }
        }
        end()
        rest = rest[index...]
        return parameters
    }
}
