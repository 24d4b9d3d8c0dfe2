/// One cookie as a Set-Cookie field describes it (RFC 6265, 5.2).
struct Cookie: Hashable, Sendable {
    /// Longer ones are ignored, as browsers do.
    private static let byteLimit = 4_096

    let name: String
    let value: String
    /// The path at and beneath which it is sent.
    let path: String
    /// Whether it is sent over TLS only.
    let isSecure: Bool
    /// When it ends, in seconds since 1970; nil: with the process.
    let expiry: Int?

    /// Reads the value of a Set-Cookie field that `address` sent at `now`; `date` reads the dates
    /// of the web, which are many.
    ///
    /// Domain is ignored: a cookie goes back to the host that sent it and to no other.
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
        // Over http anybody on the way can write cookies, but not those (RFC 6265bis, 5.7).
        if isSecure, !address.isSecure { return nil }
    }

    /// Whether it goes to a URL of its own host.
    func isFor(_ address: WebAddress, now: Int) -> Bool {
        guard !isSecure || address.isSecure, expiry.map({ now < $0 }) ?? true else { return false }
        guard address.path != path else { return true }
        let folder = path.hasSuffix("/") ? path : "\(path)/"
        return address.path.hasPrefix(folder)
    }

    /// Max-Age wins over Expires; a number that is none counts as not given.
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

    /// The folder of the URL (RFC 6265, 5.1.4).
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
