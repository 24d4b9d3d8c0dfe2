/// The value of `--proxy`.
enum ProxyArgument {
    private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Whether it is empty, a host with perhaps a port, or a URL of a kind of proxy there is.
    static func isUsable(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return parts.count == 1 }
        return schemes.contains { "\($0):" == parts[0].lowercased() }
            && parts[1].isEmpty && !parts[2].isEmpty
    }
}
