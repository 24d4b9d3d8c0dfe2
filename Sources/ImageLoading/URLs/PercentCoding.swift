internal import SystemSupport

/// Percent-encoding of UTF-8 according to RFC 3986, section 2.1.
package enum PercentCoding {
    /// Encodes spaces and all non-ASCII bytes.
    ///
    /// All other bytes stay unchanged, so servers receive path and query exactly as written.
    static func encodedNonASCII(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        encoded(bytes) { $0 > 0x20 && $0 < 0x7F }
    }

    /// Appends the path and the query of a URL to `result`, percent-encoded as in the URL standard.
    ///
    /// Different characters are encoded in the path and in the query. Existing escapes stay
    /// unchanged.
    static func appendEncoded(_ tail: ArraySlice<UInt8>, to result: inout [UInt8]) {
        let query = tail.firstIndex(of: UInt8(ascii: "?")) ?? tail.endIndex
        append(tail[..<query], to: &result, keeping: URLBytes.path)
        append(tail[query...], to: &result, keeping: URLBytes.query)
    }

    private static func append(
        _ part: ArraySlice<UInt8>,
        to result: inout [UInt8],
        keeping kept: URLBytes
    ) {
        // Nearly all URLs need no encoding, and copying them in one step is faster.
        if part.allSatisfy(kept.contains) {
            result += part
        } else {
            append(part, to: &result, keeping: kept.contains)
        }
    }

    /// Returns a user name or a password, encoded as the URL standard requires.
    static func encodedLogin(_ text: some Sequence<UInt8>) -> [UInt8] {
        encoded(text, keeping: URLBytes.login.contains)
    }

    /// Returns a web URL with the backslashes before the query replaced by slashes, as in browsers.
    static func withoutBackslashes(_ url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = url.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        var url = url
        for index in url.startIndex..<(end ?? url.endIndex) where url[index] == UInt8(ascii: "\\") {
            url[index] = UInt8(ascii: "/")
        }
        return url
    }

    /// Returns a web URL, or a relative URL, with the backslashes before the query replaced by
    /// slashes.
    package static func withoutBackslashes(_ url: String) -> String {
        guard url.utf8.contains(UInt8(ascii: "\\")) else { return url }
        return FileText.text(Array(withoutBackslashes(FileText.bytes(of: url)[...])))
    }

    /// Encodes the characters that the URL standard requires to be encoded, such as spaces, quotes
    /// and non-ASCII characters.
    ///
    /// Existing escapes stay unchanged. In `url`, bytes that are not UTF-8 are represented as in
    /// `FileText`.
    package static func tidied(_ url: String) -> String {
        var url = url
        let kept = URLBytes.pathAndQuery
        if url.withUTF8({ text in text.allSatisfy { kept.contains($0) } }) { return url }
        var result: [UInt8] = []
        appendEncoded(FileText.bytes(of: url)[...], to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the `file:` URL of an absolute path.
    ///
    /// All bytes of the path are taken literally, including `%`.
    package static func fileURL(path: some Sequence<UInt8>) -> String {
        "file://" + String(decoding: encoded(path, keeping: isPathByte), as: UTF8.self)
    }

    /// Returns the `file:` URL of a path in a buffer.
    ///
    /// The generic `fileURL(path:)` is not specialized for calls from other modules, so it takes
    /// several times as long there.
    package static func fileURL(path: UnsafeBufferPointer<UInt8>) -> String {
        let name: StaticString = "file://"
        let prefix = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        let length = path.reduce(prefix.count) { $0 + (isPathByte($1) ? 1 : 3) }
        return String(unsafeUninitializedCapacity: length) { result in
            var count = result.update(fromContentsOf: prefix)
            for byte in path {
                if isPathByte(byte) {
                    result[count] = byte
                    count += 1
                } else {
                    result[count] = UInt8(ascii: "%")
                    result[count + 1] = digit(byte >> 4)
                    result[count + 2] = digit(byte & 15)
                    count += 3
                }
            }
            return count
        }
    }

    /// Returns a path as a string, percent-encoding each byte for which `isKept` returns false.
    package static func encodedPath(_ path: [UInt8], keeping isKept: (UInt8) -> Bool) -> String {
        String(decoding: encoded(path, keeping: isKept), as: UTF8.self)
    }

    /// Decodes each `%XX` in a string.
    ///
    /// Invalid escapes stay unchanged, and invalid UTF-8 is replaced with U+FFFD.
    package static func decoded(_ text: some StringProtocol) -> String {
        String(decoding: decoded(text.utf8), as: UTF8.self)
    }

    /// Decodes each `%XX`; a "%" without two hexadecimal digits stays unchanged.
    package static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let source = Array(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = nibble(source[index + 1]), let low = nibble(source[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(source[index])
                index += 1
            }
        }
        return result
    }

    private static func encoded(
        _ bytes: some Sequence<UInt8>,
        keeping isKept: (UInt8) -> Bool
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.underestimatedCount)
        append(bytes, to: &result, keeping: isKept)
        return result
    }

    private static func append(
        _ bytes: some Sequence<UInt8>,
        to result: inout [UInt8],
        keeping isKept: (UInt8) -> Bool
    ) {
        for byte in bytes {
            if isKept(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(digit(byte >> 4))
                result.append(digit(byte & 15))
            }
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }

    /// Returns whether a byte may appear unencoded in a path: a `pchar` (RFC 3986) or a slash.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        // The slash, the digits and &'()*+,-.:;
        case UInt8(ascii: "&")...UInt8(ascii: ";"), UInt8(ascii: "@")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "!"), UInt8(ascii: "$"),
            UInt8(ascii: "="), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// A set of ASCII characters that may appear unencoded in a part of a URL.
///
/// None of the sets contains control characters, spaces or non-ASCII bytes.
private struct URLBytes {
    /// The characters 0x00 to 0x3F, and 0x40 to 0x7F, as bits.
    private var low: UInt64
    private var high: UInt64

    // The percent-encode sets of the URL standard. "?" and "#" end a path, so they never occur in
    // it.
    static let path = URLBytes(except: "\"<>^`{}")
    static let query = URLBytes(except: "\"<>'")
    static let pathAndQuery = URLBytes(except: "\"<>^`{}'")
    static let login = URLBytes(except: "\"<>^`{}#?/:;=@[\\]|")

    private init(except encoded: String) {
        (low, high) = (~0 << 0x21, ~(1 << 63))
        for byte in encoded.utf8 {
            let kept: UInt64 = ~(1 << UInt64(byte & 63))
            if byte < 0x40 { low &= kept } else { high &= kept }
        }
    }

    @inline(__always) func contains(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 0x40 ? low : high) >> UInt64(byte & 63) & 1 != 0
    }
}

/// Classifies and converts ASCII bytes.
package enum ASCII {
    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    package static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
