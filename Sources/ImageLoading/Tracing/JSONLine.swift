/// A JSON object on one line, field by field; UTF-8.
///
/// By hand, because an encoder of Foundation's takes longer than most events it would write down.
package struct JSONLine {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// Begins an object.
    package init() {}

    /// Ends the object.
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

    /// Seconds with six decimals, cut; negative ones count as 0.
    mutating func add(_ name: String, _ duration: Duration) {
        addName(name)
        let (seconds, attoseconds) = max(duration, .zero).components
        let microseconds = "\(attoseconds / 1_000_000_000_000)"
        bytes += "\(seconds).".utf8
        bytes += [UInt8](repeating: UInt8(ascii: "0"), count: 6 - microseconds.utf8.count)
        bytes += microseconds.utf8
    }

    /// A value that is JSON already: what of it does something to a terminal is escaped.
    package mutating func add(_ name: String, json: String) {
        addName(name)
        bytes += EscapedText.of(json).utf8
    }

    /// An object of its own.
    package mutating func add(_ name: String, _ object: consuming JSONLine) {
        addName(name)
        bytes += object.closed()
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

/// Which characters text for a terminal, or for a file that a person may look at in one, never has
/// raw, and how they are written instead: as JSON does, `\u001b`.
package enum EscapedText {
    /// Controls (the lower, DEL, the upper), format characters (the direction of writing, zero width, tags) and
    /// the separators of lines: all that does something else than to show itself.
    package static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 0x20 || scalar.value >= 0x7F else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The text with all of them escaped.
    ///
    /// A whole JSON text stays the same JSON: outside of strings it has none of them.
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

    /// Four digits for each unit of UTF-16.
    fileprivate static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            bytes += "\\u".utf8
            bytes += [UInt8](repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
            bytes += digits.utf8
        }
    }
}
