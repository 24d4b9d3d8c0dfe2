/// A JSON object on one line, field by field; UTF-8.
///
/// By hand, because an encoder of Foundation's takes longer than most events it would write down.
struct JSONLine {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// Ends the object.
    consuming func closed() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    mutating func add(_ name: String, _ text: String) {
        addName(name)
        addQuoted(text)
    }

    mutating func add(_ name: String, _ number: Int) {
        addName(name)
        bytes += "\(number)".utf8
    }

    mutating func add(_ name: String, _ value: Bool) {
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

    private mutating func addName(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        addQuoted(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Every control character is escaped, also those that JSON allows: someone may look at the
    /// file in a terminal, and U+2028 ends a line for some readers.
    private mutating func addQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "\n": bytes += "\\n".utf8
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": addEscaped(scalar)
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func addEscaped(_ scalar: Unicode.Scalar) {
        let digits = String(scalar.value, radix: 16)
        bytes += "\\u".utf8
        bytes += [UInt8](repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
        bytes += digits.utf8
    }
}
