/// Fixes content before the first element that prevents libxml2 from reading an XML document.
enum XMLProlog {
    /// Returns the document without white space before its declaration, which is often left there
    /// by programs that use templates.
    static func withoutBlanks(_ bytes: [UInt8]) -> [UInt8] {
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let rest = bytes[mark...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard rest.startIndex > mark, rest.starts(with: "<?xml".utf8) else { return bytes }
        return Array(bytes[..<mark] + rest)
    }

    /// Returns the document with the definitions in its DOCTYPE replaced by spaces, which keeps
    /// line numbers.
    ///
    /// Nothing that is defined there is displayed anyway.
    static func withoutDefinitions(_ bytes: [UInt8]) -> [UInt8] {
        guard let start = start(ofDoctypeIn: bytes) else { return bytes }
        let head = bytes[start...].prefix { $0 != UInt8(ascii: ">") }
        guard let open = head.firstIndex(of: UInt8(ascii: "[")),
            let close = end(of: bytes[(open + 1)...])
        else { return bytes }
        var result = bytes
        for index in open...close where result[index] != UInt8(ascii: "\n") {
            result[index] = UInt8(ascii: " ")
        }
        return result
    }

    /// Returns the start of the DOCTYPE, which is near the start of the document.
    private static func start(ofDoctypeIn bytes: [UInt8]) -> Int? {
        let head = bytes.prefix(4096)
        let word = Array("<!DOCTYPE".utf8)
        return head.indices.first { head[$0] == word[0] && head[$0...].starts(with: word) }
    }

    /// Returns the bracket that ends the definitions: the first one outside quotation marks.
    private static func end(of definitions: ArraySlice<UInt8>) -> Int? {
        var quote: UInt8?
        for index in definitions.indices {
            switch (definitions[index], quote) {
            case (let byte, let open?): if byte == open { quote = nil }
            case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = definitions[index]
            case (UInt8(ascii: "]"), nil): return index
            default: break
            }
        }
        return nil
    }
}
