/// One member of a `Cache-Control` field: `name`, `name=token` or `name="quoted text"`.
struct CacheDirective: Hashable, Sendable {
    /// In lower case.
    let name: String
    /// Without quotes; nil if there is no `=`.
    let argument: String?

    /// The argument as a count of seconds, at most `CacheControl.maximumSeconds`; nil if it is none.
    var seconds: Int? {
        guard let digits = argument?.utf8, !digits.isEmpty,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return digits.reduce(0) { sum, digit in
            min(CacheControl.maximumSeconds, sum * 10 + Int(digit - 0x30))
        }
    }

    /// The members of a field's value; a comma within quotes doesn't divide.
    static func list(_ fieldValue: String) -> [CacheDirective] {
        var members: [CacheDirective] = []
        var rest = Substring(fieldValue).utf8
        while !rest.isEmpty {
            let member = takeMember(from: &rest)
            if !member.name.isEmpty { members.append(member) }
        }
        return members
    }

    /// Consumes up to the next comma that is not within quotes.
    private static func takeMember(from rest: inout Substring.UTF8View) -> CacheDirective {
        var text: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        while let byte = rest.popFirst() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
                continue
            } else if byte == UInt8(ascii: ","), !isQuoted {
                break
            }
            text.append(byte)
        }
        return CacheDirective(text)
    }

    private init(_ text: [UInt8]) {
        let parts = text.split(
            separator: UInt8(ascii: "="),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        name = Self.trimmed(parts.first ?? []).lowercased()
        argument = parts.count > 1 ? Self.trimmed(parts[1]) : nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }
        return end.map { String(decoding: start[...$0], as: UTF8.self) } ?? ""
    }
}
