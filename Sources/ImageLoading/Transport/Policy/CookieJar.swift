/// The cookies of this process, by host; never on disk (row D5).
///
/// Belongs to the curl thread. Everything in it is bounded, since servers fill it.
struct CookieJar {
    static let hostLimit = 64
    static let cookieLimit = 50
    /// The most bytes of cookies in a request; servers refuse heads of more than 8 KiB.
    static let sentByteLimit = 6_144

    private let date: (String) -> Int?
    private var cookies: [String: [Cookie]] = [:]
    /// The host that last sent a cookie is last.
    private var hosts: [String] = []

    /// `date` reads the dates of the web, in seconds since 1970.
    init(date: @escaping (String) -> Int?) {
        self.date = date
    }

    /// Takes the value of a Set-Cookie field that came from `address` at `now`, in seconds since
    /// 1970; one that has expired takes its namesake away.
    mutating func take(_ field: String, from address: WebAddress, now: Int) {
        guard let cookie = Cookie(field, from: address, now: now, date: date) else { return }
        var kept = (cookies[address.host] ?? []).filter { $0.expiry.map { now < $0 } ?? true }
        // Over http anybody on the way could put another in its place (RFC 6265bis, 5.7).
        guard address.isSecure || !kept.contains(where: { $0.isSecure && $0.name == cookie.name })
        else { return }
        kept.removeAll { $0.name == cookie.name && $0.path == cookie.path }
        if cookie.expiry.map({ now < $0 }) ?? true { kept.append(cookie) }
        cookies[address.host] = kept.suffix(Self.cookieLimit)
        hosts.removeAll { $0 == address.host }
        hosts.append(address.host)
        if hosts.count > Self.hostLimit { cookies[hosts.removeFirst()] = nil }
    }

    /// The Cookie field for a URL; nil if there is nothing to send.
    func field(for address: WebAddress, now: Int) -> HeaderField? {
        let fitting = (cookies[address.host] ?? []).filter { $0.isFor(address, now: now) }
        // The more specific path first (RFC 6265, 5.4); the sort is stable.
        let pairs = fitting.sorted { $0.path.utf8.count > $1.path.utf8.count }
            .map { "\($0.name)=\($0.value)" }
        var text = ""
        for pair in pairs where text.utf8.count + pair.utf8.count + 2 <= Self.sentByteLimit {
            text += text.isEmpty ? pair : "; \(pair)"
        }
        return text.isEmpty ? nil : HeaderField("Cookie", text)
    }

    /// Forgets them all.
    mutating func removeAll() {
        cookies = [:]
        hosts = []
    }
}
