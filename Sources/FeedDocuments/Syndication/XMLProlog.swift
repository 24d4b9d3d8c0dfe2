/// What stands before the first element of XML, and keeps libxml2 from reading what follows.
enum XMLProlog {
    /// The document without blanks before its declaration, which programs leave there that put feeds
    /// together from templates.
    static func withoutBlanks(_ bytes: [UInt8]) -> [UInt8] {
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let rest = bytes[mark...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard rest.startIndex > mark, rest.starts(with: "<?xml".utf8) else { return bytes }
        return Array(bytes[..<mark] + rest)
    }

    /// The document with blanks in place of what it defines between the brackets of its DOCTYPE, so that
    /// lines keep their numbers: nothing that is defined there is shown anyway.
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

    /// It stands before the first element, with little before it.
    private static func start(ofDoctypeIn bytes: [UInt8]) -> Int? {
        let head = bytes.prefix(4096)
        let word = Array("<!DOCTYPE".utf8)
        return head.indices.first { head[$0] == word[0] && head[$0...].starts(with: word) }
    }

    /// The bracket that ends the definitions: the first one outside of quotation marks.
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
