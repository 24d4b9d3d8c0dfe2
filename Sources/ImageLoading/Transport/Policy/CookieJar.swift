/// The cookies of this process, grouped by host; they are never stored on disk.
///
/// The number of cookies is limited, because a server can set any number of them. Use this type
/// only on the curl thread.
struct CookieJar {
    static let hostLimit = 64
    static let cookieLimit = 50
    /// The maximum total size of the cookies in a request, in bytes.
    ///
    /// Servers refuse requests whose header fields exceed 8 KiB.
    static let sentByteLimit = 6_144

    private let date: (String) -> Int?
    private var cookies: [String: [Cookie]] = [:]
    /// The hosts with cookies; the host that has most recently set a cookie is last.
    private var hosts: [String] = []

    /// Creates an empty jar; `date` parses HTTP dates into seconds since 1970.
    init(date: @escaping (String) -> Int?) {
        self.date = date
    }

    /// Stores a cookie from the value of a Set-Cookie field, sent by the server at `address`.
    ///
    /// If the cookie has expired, the stored cookie with the same name and path is deleted. `now`
    /// is in seconds since 1970.
    mutating func take(_ field: String, from address: WebAddress, now: Int) {
        guard let cookie = Cookie(field, from: address, now: now, date: date) else { return }
        var kept = (cookies[address.host] ?? []).filter { $0.expiry.map { now < $0 } ?? true }
        // Over http, anyone on the network path could replace a secure cookie (RFC 6265bis, 5.7).
        guard address.isSecure || !kept.contains(where: { $0.isSecure && $0.name == cookie.name })
        else { return }
        kept.removeAll { $0.name == cookie.name && $0.path == cookie.path }
        if cookie.expiry.map({ now < $0 }) ?? true { kept.append(cookie) }
        cookies[address.host] = kept.suffix(Self.cookieLimit)
        hosts.removeAll { $0 == address.host }
        hosts.append(address.host)
        if hosts.count > Self.hostLimit { cookies[hosts.removeFirst()] = nil }
    }

    /// Returns the Cookie field for a URL, or nil if there is no cookie to send.
    func field(for address: WebAddress, now: Int) -> HeaderField? {
        let fitting = (cookies[address.host] ?? []).filter { $0.isFor(address, now: now) }
        // More specific paths first (RFC 6265, 5.4); the sort is stable.
        let pairs = fitting.sorted { $0.path.utf8.count > $1.path.utf8.count }
            .map { "\($0.name)=\($0.value)" }
        var text = ""
        for pair in pairs where text.utf8.count + pair.utf8.count + 2 <= Self.sentByteLimit {
            text += text.isEmpty ? pair : "; \(pair)"
        }
        return text.isEmpty ? nil : HeaderField("Cookie", text)
    }

    mutating func removeAll() {
        cookies = [:]
        hosts = []
    }
}

/// One cookie from a Set-Cookie field (RFC 6265, 5.2).
struct Cookie: Hashable, Sendable {
    /// The maximum length of a Set-Cookie field in bytes; longer fields are ignored, as in
    /// browsers.
    private static let byteLimit = 4_096

    let name: String
    let value: String
    /// The path that the cookie applies to, including all paths below it.
    let path: String
    /// Whether the cookie is sent only over TLS.
    let isSecure: Bool
    /// The expiration time in seconds since 1970; nil if the cookie lasts until the process ends.
    let expiry: Int?

    /// Parses the value of a Set-Cookie field, sent by the server at `address`.
    ///
    /// `date` parses the many date formats that servers use. The Domain attribute is ignored; a
    /// cookie is sent only to the host that set it. `now` is in seconds since 1970.
    init?(_ field: String, from address: WebAddress, now: Int, date: (String) -> Int?) {
        guard field.utf8.count <= Self.byteLimit, !field.utf8.contains(where: Self.isControl) else {
            return nil
        }
        var parts = field.split(separator: ";", omittingEmptySubsequences: false)
        let (name, value) = Self.pair(parts.removeFirst())
        guard !name.isEmpty, let value else { return nil }
        var attributes: [String: String] = [:]
        for part in parts {
            let (name, value) = Self.pair(part)
            attributes[name.lowercased()] = value ?? ""
        }
        self.name = name
        self.value = value
        isSecure = attributes["secure"] != nil
        let path = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.path = path ?? Self.defaultPath(of: address)
        expiry = Self.expiry(attributes, now: now, date: date)
        // Over http, anyone on the network path can set cookies, so secure cookies are rejected
        // (RFC 6265bis, 5.7).
        if isSecure, !address.isSecure { return nil }
    }

    /// Returns whether the cookie is sent to a URL.
    ///
    /// The host of the URL must be the cookie's host; this method does not compare the hosts.
    func isFor(_ address: WebAddress, now: Int) -> Bool {
        guard !isSecure || address.isSecure, expiry.map({ now < $0 }) ?? true else { return false }
        guard address.path != path else { return true }
        let folder = path.hasSuffix("/") ? path : "\(path)/"
        return address.path.hasPrefix(folder)
    }

    /// Returns the expiration time; Max-Age takes precedence over Expires, and an invalid Max-Age
    /// is ignored.
    private static func expiry(
        _ attributes: [String: String],
        now: Int,
        date: (String) -> Int?
    ) -> Int? {
        if let age = attributes["max-age"].flatMap({ Int($0) }) {
            return now &+ min(max(age, 0), 400 * 86_400)
        }
        return attributes["expires"].flatMap(date)
    }

    /// Returns the directory part of the URL's path (RFC 6265, 5.1.4).
    private static func defaultPath(of address: WebAddress) -> String {
        guard let slash = address.path.lastIndex(of: "/"), slash > address.path.startIndex else {
            return "/"
        }
        return String(address.path[..<slash])
    }

    private static func pair(_ text: Substring) -> (name: String, value: String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(trimmed) ?? ""
        return (name, parts.count == 2 ? trimmed(parts[1]) : nil)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
