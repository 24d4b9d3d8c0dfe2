/// What a response's `Cache-Control` says to a private cache (RFC 9111, 5.2.2; RFC 5861; RFC 8246).
///
/// `s-maxage` and `proxy-revalidate` are for shared caches and mean nothing here.
struct CacheControl: Hashable, Sendable {
    /// The greatest number of seconds; more is held there (RFC 9111, 1.2.2).
    static let maximumSeconds = 1 << 31

    /// Seconds for which the response is fresh.
    var maximumAge: Int?
    /// Seconds after that in which it may be used while it is asked about in the background.
    var staleWhileRevalidate: Int?
    /// Seconds after that in which it may be used if asking fails.
    var staleIfError: Int?
    /// `no-store`: must not be kept.
    var forbidsStorage = false
    /// `no-cache`: must be asked about before each use.
    var alwaysRevalidates = false
    /// `must-revalidate`: must not be used stale, whatever happens.
    var mustRevalidate = false
    /// `immutable`: won't change while it is fresh, so that even a reload need not ask.
    var isImmutable = false
    /// `public`.
    var isPublic = false
    /// `private`.
    var isPrivate = false

    /// Nothing said.
    init() {}

    /// Reads a field's value; what isn't understood is left out.
    ///
    /// Of a directive given twice the first counts (RFC 9111, 4.2.1). `no-cache` with field names
    /// is taken for the plain one, as caches do (5.2.2.4). A `max-age` that is no number makes the
    /// response stale, as 4.2.1 encourages.
    init(_ fieldValue: String) {
        for directive in CacheDirective.list(fieldValue) {
            take(directive)
        }
    }

    private mutating func take(_ directive: CacheDirective) {
        switch directive.name {
        case "max-age": maximumAge = maximumAge ?? directive.seconds ?? 0
        case "stale-while-revalidate":
            staleWhileRevalidate = staleWhileRevalidate ?? directive.seconds ?? 0
        case "stale-if-error": staleIfError = staleIfError ?? directive.seconds ?? 0
        case "no-store": forbidsStorage = true
        case "no-cache": alwaysRevalidates = true
        case "must-revalidate": mustRevalidate = true
        case "immutable": isImmutable = true
        case "public": isPublic = true
        case "private": isPrivate = true
        default: break
        }
    }
}

/// One member of a `Cache-Control` field: `name`, `name=token` or `name="quoted text"`.
struct CacheDirective: Hashable, Sendable {
    /// In lower case.
    let name: String
    /// Without quotes; nil if there is no `=`.
    let argument: String?

    /// The argument as a count of seconds, at most `CacheControl.maximumSeconds`; nil if it is
    /// none.
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
