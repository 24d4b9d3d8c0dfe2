/// Percent-encoding as RFC 3986 section 2.1 has it.
enum PercentEncoding {
    /// Decodes `%XX`; what isn't a valid escape stays, invalid UTF-8 is repaired.
    static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
            {
                decoded.append(UInt8(high << 4 | low))
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// A `file:` URL for an absolute path; every byte of the path is meant literally, `%` too.
    static func fileURL(path: String) -> String {
        "file://" + encoded(path) { isPathByte($0) }
    }

    /// Encodes what may not stand raw in a URL (spaces, quotes, non-ASCII), as browsers do when a
    /// person types one; escapes that are there stay.
    static func tidied(_ url: String) -> String {
        encoded(url) { $0 > 0x20 && $0 < 0x7F && !unsafe.contains($0) }
    }

    private static let unsafe = Set("\"<>\\^`{|}".utf8)
    private static let pathPunctuation = Set("/-._~!$&'()*+,;=:@".utf8)

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: pathPunctuation.contains(byte)
        }
    }

    private static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
