internal import Glibc

/// Selects the proxy for a URL, if any, by the same rules as libcurl.
///
/// libcurl does not select the proxy itself, because it does not report whether it used one. The IP
/// address check needs that information, because a proxy resolves host names itself. In addition,
/// libcurl would read the environment for each transfer, possibly while another thread is changing
/// it.
struct ProxyRule: Hashable, Sendable {
    /// The environment variables that are read.
    ///
    /// HTTP_PROXY is not read: in a CGI program, a client can set it with a `Proxy` header field.
    private static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
        "NO_PROXY",
    ]

    private let chosen: String?
    private let environment: [String: String]

    /// Creates a rule for a proxy; nil means the proxy from the environment, and "" means no proxy.
    init(proxy: String?, environment: [String: String] = ProxyRule.processEnvironment()) {
        chosen = proxy
        self.environment = environment
    }

    /// Returns the current values of the environment variables in `variables`.
    static func processEnvironment() -> [String: String] {
        var values: [String: String] = [:]
        for name in variables { values[name] = getenv(name).map { String(cString: $0) } }
        return values
    }

    /// Returns the proxy's URL, or nil for a direct connection.
    func proxy(for address: WebAddress) -> String? {
        let proxy =
            chosen
            ?? first(["\(address.scheme)_proxy", "HTTPS_PROXY"].prefix(address.isSecure ? 2 : 1))
            ?? first(["all_proxy", "ALL_PROXY"])
        guard let proxy, !proxy.isEmpty else { return nil }
        return isExempt(address.host) ? nil : proxy
    }

    private func first(_ names: some Sequence<String>) -> String? {
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// Returns whether `no_proxy` contains the host.
    ///
    /// A name in `no_proxy` also matches its subdomains. An address can have a prefix length. If
    /// the value is `*`, it matches every host.
    private func isExempt(_ host: String) -> Bool {
        guard let list = first(["no_proxy", "NO_PROXY"]) else { return false }
        guard list != "*" else { return true }
        let address = IPAddress(host)
        return list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).contains { entry in
            guard let address else { return Self.name(host, isBeneath: entry) }
            return IPPrefix(entry)?.contains(address) ?? false
        }
    }

    private static func name(_ host: String, isBeneath entry: Substring) -> Bool {
        let domain = entry.lowercased().drop { $0 == "." }.reversed().drop { $0 == "." }.reversed()
        let (name, suffix) = (host.hasSuffix(".") ? String(host.dropLast()) : host, String(domain))
        return !suffix.isEmpty && (name == suffix || name.hasSuffix(".\(suffix)"))
    }
}
