/// The directives of `Cache-Control` for a private cache (RFC 9111, 5.2.2; RFC 5861; RFC 8246).
///
/// `s-maxage` and `proxy-revalidate` apply to shared caches only and are ignored.
struct CacheControl: Hashable, Sendable {
    /// The maximum value of a directive in seconds.
    ///
    /// Larger values are reduced to this maximum (RFC 9111, 1.2.2).
    static let maximumSeconds = 1 << 31

    /// The number of seconds the response is fresh (`max-age`).
    var maximumAge: Int?
    /// The number of seconds a stale response may be used while it is revalidated in the
    /// background.
    var staleWhileRevalidate: Int?
    /// The number of seconds a stale response may be used if a request for a new one fails.
    var staleIfError: Int?
    /// `no-store`: the response must not be stored.
    var forbidsStorage = false
    /// `no-cache`: the response must be revalidated before each use.
    var alwaysRevalidates = false
    /// `must-revalidate`: a stale response must not be used without revalidation.
    var mustRevalidate = false
    /// `immutable`: the response does not change while it is fresh, so a reload sends no request.
    var isImmutable = false
    /// Whether the `public` directive is present.
    var isPublic = false
    /// Whether the `private` directive is present.
    var isPrivate = false

    /// Creates an empty set of directives.
    init() {}

    /// Parses the value of a `Cache-Control` field; unknown directives are ignored.
    ///
    /// If a directive occurs twice, the first occurrence counts (RFC 9111, 4.2.1). `no-cache` with
    /// field names is treated like `no-cache` without them, as many caches do (5.2.2.4). If
    /// `max-age` is invalid, the response is stale, as 4.2.1 recommends.
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

/// One directive of `Cache-Control`: `name`, `name=token` or `name="quoted text"`.
struct CacheDirective: Hashable, Sendable {
    /// The lowercase name.
    let name: String
    /// The value without quotes; nil if there is no `=`.
    let argument: String?

    /// The argument as a number of seconds, at most `CacheControl.maximumSeconds`; nil if it is not
    /// a number.
    var seconds: Int? {
        guard let digits = argument?.utf8, !digits.isEmpty,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return digits.reduce(0) { sum, digit in
            min(CacheControl.maximumSeconds, sum * 10 + Int(digit - 0x30))
        }
    }

    /// Returns the directives of a field value; a comma within quotes is not a separator.
    static func list(_ fieldValue: String) -> [CacheDirective] {
        var members: [CacheDirective] = []
        var rest = Substring(fieldValue).utf8
        while !rest.isEmpty {
            let member = takeMember(from: &rest)
            if !member.name.isEmpty { members.append(member) }
        }
        return members
    }

    /// Removes the first directive from `rest` and returns it.
    ///
    /// The directive ends at the next comma that is not within quotes.
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
