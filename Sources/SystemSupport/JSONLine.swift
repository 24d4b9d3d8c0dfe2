/// Builds a JSON object on one line, in UTF-8, field by field.
///
/// Foundation's encoder is not used, because it would take longer than most of the recorded events.
package struct JSONLine {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init() {}

    /// Ends the object and returns its bytes.
    package consuming func closed() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    package mutating func add(_ name: String, _ text: String) {
        addName(name)
        addQuoted(text)
    }

    package mutating func add(_ name: String, _ number: Int) {
        addName(name)
        bytes += "\(number)".utf8
    }

    package mutating func add(_ name: String, _ value: Bool) {
        addName(name)
        bytes += (value ? "true" : "false").utf8
    }

    /// Adds a duration in seconds with six decimals, truncated; a negative duration becomes 0.
    package mutating func add(_ name: String, _ duration: Duration) {
        addName(name)
        let (seconds, attoseconds) = max(duration, .zero).components
        let microseconds = "\(attoseconds / 1_000_000_000_000)"
        bytes += "\(seconds).".utf8
        bytes += [UInt8](repeating: UInt8(ascii: "0"), count: 6 - microseconds.utf8.count)
        bytes += microseconds.utf8
    }

    /// Adds a value that is already JSON; characters that affect a terminal are escaped.
    package mutating func add(_ name: String, json: String) {
        addName(name)
        bytes += EscapedText.of(json).utf8
    }

    package mutating func add(_ name: String, _ object: consuming JSONLine) {
        addName(name)
        bytes += object.closed()
    }

    /// Returns a text as a JSON string, in which characters that affect a terminal are escaped.
    package static func quoted(_ text: String) -> String {
        var line = JSONLine()
        line.addQuoted(text)
        return String(decoding: line.bytes.dropFirst(), as: UTF8.self)
    }

    private mutating func addName(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        addQuoted(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func addQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        guard !isPlain else {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "\n": bytes += "\\n".utf8
            case _ where EscapedText.mustEscape(scalar): EscapedText.append(scalar, to: &bytes)
            default: bytes += String(scalar).utf8
            }
        }
    }
}

/// Escapes the characters that must not reach a terminal, either directly or through a file that a
/// user views.
///
/// The escapes are JSON escapes, such as `\u001b`.
package enum EscapedText {
    /// Returns whether a character must be escaped because it does more than display a glyph.
    ///
    /// Such characters are control characters (including DEL), format characters (text direction,
    /// zero width, tags), and line and paragraph separators.
    package static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 0x20 || scalar.value >= 0x7F else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// Returns the text after escaping all characters for which `mustEscape` returns true.
    ///
    /// If the text is complete JSON, its meaning does not change, because JSON contains such
    /// characters only in strings.
    package static func of(_ text: String, keepingLineFeeds: Bool = false) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        guard !isPlain else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if mustEscape(scalar), !(keepingLineFeeds && scalar == "\n") {
                append(scalar, to: &bytes)
            } else {
                bytes += String(scalar).utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a character as escapes with four hexadecimal digits, one for each UTF-16 code unit.
    fileprivate static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            bytes += "\\u".utf8
            bytes += [UInt8](repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
            bytes += digits.utf8
        }
    }
}
