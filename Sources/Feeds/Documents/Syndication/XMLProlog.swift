/// Repairs the start of an XML document.
///
/// Invalid text before the first element can prevent libxml2 from reading the document.
package enum XMLProlog {
    /// Returns the document in UTF-8, without the XML declaration and the text before it.
    ///
    /// Programs that use templates often leave white space or a message before the declaration.
    /// Line feeds are kept, so line numbers do not change. Bytes that are valid UTF-8 are treated
    /// as UTF-8, regardless of the declared encoding. Control characters that XML forbids are
    /// removed, because libxml2 stops at a NUL byte and omits attributes that contain other control
    /// characters. The line number of the first one is also returned.
    package static func text(_ bytes: [UInt8]) -> (text: [UInt8], lineOfControl: Int?) {
        let isWide = Charset.isWideXML(bytes).flatMap { isBigEndian in
            Charset(label: isBigEndian ? "utf-16be" : "utf-16le")?.utf8(bytes)
        }
        var text = isWide ?? bytes
        let label = declaration(in: text).encoding
        if isWide == nil, let charset = charset(of: text, declared: label) {
            text = charset.utf8(text) ?? text
        }
        let end = declaration(in: text).end
        text.replaceSubrange(..<end, with: text[..<end].filter { $0 == 0x0A })
        guard let first = text.firstIndex(where: isControl) else { return (text, nil) }
        let line = text[..<first].count { $0 == 0x0A } + 1
        text.removeAll(where: isControl)
        return (text, line)
    }

    /// Returns whether a byte is a control character that XML 1.0 does not allow.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
    }

    private static let roots = ["<rss", "<feed", "<entry", "<rdf", "<RDF", "<opml"]

    /// Returns the end position of the XML declaration and the declared encoding.
    ///
    /// Without a declaration, returns the position after the byte order mark and no encoding.
    private static func declaration(in bytes: [UInt8]) -> (end: Int, encoding: String?) {
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let head = bytes.prefix(1024)
        guard let start = head.indices.first(where: { bytes[$0...].starts(with: "<?xml".utf8) }),
            !roots.contains(where: { String(decoding: head[..<start], as: UTF8.self).contains($0) }
            ),
            let end = head[start...].firstIndex(of: UInt8(ascii: ">"))
        else { return (mark, nil) }
        let words = String(decoding: bytes[start..<end], as: UTF8.self)
            .split { $0.isWhitespace || "=\"'?".contains($0) }
        let place = words.firstIndex(of: "encoding").map { $0 + 1 }
        let encoding = place.flatMap { words.indices.contains($0) ? String(words[$0]) : nil }
        return (end + 1, encoding)
    }

    /// Returns the character set of text that is not UTF-8, or nil if the text is UTF-8.
    private static func charset(of text: [UInt8], declared label: String?) -> Charset? {
        let declared = label.flatMap(Charset.init(label:))
        guard !text.isUTF8 || declared != nil else { return nil }
        if String(validating: text, as: UTF8.self) != nil { return nil }
        if let declared { return declared }
        // Damaged UTF-8 has more valid than invalid non-ASCII characters.
        guard let label = label?.lowercased(), ["utf-8", "utf8"].contains(label) else {
            return text.hasMoreInvalidCharacters ? Charset(label: "windows-1252") : nil
        }
        return nil
    }

    /// Returns the document with the definitions in its DOCTYPE replaced by spaces.
    ///
    /// The definitions are not needed to display the feed. Their line feeds are kept, so line
    /// numbers do not change.
    package static func withoutDefinitions(_ bytes: [UInt8]) -> [UInt8] {
        guard let start = start(ofDoctypeIn: bytes) else { return bytes }
        let definitions = bytes.withUnsafeBufferPointer { Self.definitions($0, ofDoctypeAt: start) }
        guard let definitions, definitions.upperBound < bytes.count else { return bytes }
        var result = bytes
        for index in definitions where result[index] != UInt8(ascii: "\n") {
            result[index] = UInt8(ascii: " ")
        }
        return result
    }

    /// Returns the position of the DOCTYPE, or nil if the first 4096 bytes contain no DOCTYPE.
    private static func start(ofDoctypeIn bytes: [UInt8]) -> Int? {
        let head = bytes.prefix(4096)
        let word = Array("<!DOCTYPE".utf8)
        return head.indices.first { head[$0] == word[0] && head[$0...].starts(with: word) }
    }

    /// Returns the range of the definitions with their brackets, or nil if the DOCTYPE contains no
    /// definitions.
    ///
    /// Without a closing bracket, the definitions extend to the end of the document.
    package static func definitions(
        _ bytes: UnsafeBufferPointer<UInt8>,
        ofDoctypeAt start: Int
    ) -> Range<Int>? {
        let close = bytes.place(of: UInt8(ascii: ">"), from: start)
        guard let open = bytes[start..<close].firstIndex(of: UInt8(ascii: "[")) else { return nil }
        return open..<end(ofDefinitionsIn: bytes, from: open + 1)
    }

    /// Returns the position after the first closing bracket outside quotation marks and comments.
    private static func end(
        ofDefinitionsIn bytes: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Int {
        let comment = Array("<!--".utf8)
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "]"): return index + 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                index = bytes.place(of: bytes[index], from: index + 1)
            case UInt8(ascii: "<") where bytes[index...].starts(with: comment):
                index = bytes.end(of: "-->", from: index + 4) - 1
            default: break
            }
            index += 1
        }
        return bytes.count
    }
}
