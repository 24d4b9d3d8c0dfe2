internal import Glibc

/// Which proxy, if any, stands between us and a URL: libcurl's own rules, applied here.
///
/// They are not left to libcurl because it doesn't tell which way it went, and what is known about
/// an address depends on it: with a proxy in between, the proxy looks the host up. And it reads the
/// environment at each transfer, while another thread may be changing it.
struct ProxyRule: Hashable, Sendable {
    /// The variables that it reads.
    ///
    /// HTTP_PROXY is not among them: in a CGI program the client sets it, by a header "Proxy".
    private static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
        "NO_PROXY",
    ]

    private let chosen: String?
    private let environment: [String: String]

    /// Takes the proxy that was asked for, nil for what the environment says; "" is no proxy.
    init(proxy: String?, environment: [String: String] = ProxyRule.processEnvironment()) {
        chosen = proxy
        self.environment = environment
    }

    /// The variables as they are set.
    static func processEnvironment() -> [String: String] {
        var values: [String: String] = [:]
        for name in variables { values[name] = getenv(name).map { String(cString: $0) } }
        return values
    }

    /// The proxy's URL; nil to ask directly.
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

    /// Whether `no_proxy` names the host: a name stands for all beneath it as well, an address can
    /// have a prefix length, and a lone star is everything.
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
