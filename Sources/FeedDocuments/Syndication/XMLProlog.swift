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
        let definitions = bytes.withUnsafeBufferPointer { Self.definitions($0, ofDoctypeAt: start) }
        guard let definitions, definitions.upperBound < bytes.count else { return bytes }
        var result = bytes
        for index in definitions where result[index] != UInt8(ascii: "\n") {
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

    /// Returns the range of the definitions with their brackets, or nil if there are none; without
    /// a closing bracket, they extend to the end of the document.
    static func definitions(
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
