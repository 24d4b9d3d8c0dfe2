internal import Glibc

/// Which addresses a URL from the network may lead to: the public ones.
///
/// Without it a feed could have this machine ask its neighbours, or a cloud's metadata service at
/// 169.254.169.254, whatever name the feed gives them. So the rule is about addresses, and is asked
/// about each one that a socket is opened to.
///
/// The table is IANA's registries of special-purpose addresses, those that are not globally
/// reachable, and multicast (RFC 6890).
enum AddressRule {
    private static let privateIPv4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap { IPPrefix($0) }

    /// IPv6 unicast that may be public; what lies outside is loopback, link local, unique local,
    /// multicast or unassigned.
    private static let unicastIPv6 = ["2000::/3"].compactMap { IPPrefix($0) }

    /// The parts of it that are not: protocol assignments with Teredo, and documentation.
    private static let privateIPv6 = ["2001::/23", "2001:db8::/32", "3fff::/20"]
        .compactMap { IPPrefix($0) }

    /// IPv6 addresses that stand for an IPv4 one, and where in them it lies: mapped (RFC 4291),
    /// NAT64 (RFC 6052) and 6to4 (RFC 3056).
    private static let carriers = [("::ffff:0:0/96", 12), ("64:ff9b::/96", 12), ("2002::/16", 2)]
        .compactMap { text, offset in IPPrefix(text).map { (prefix: $0, offset: offset) } }

    /// Whether an address may be asked.
    ///
    /// An IPv4 address inside an IPv6 one is judged as itself: a network with NAT64 reaches all of
    /// the public IPv4 internet that way.
    static func isPublic(_ address: IPAddress) -> Bool {
        guard address.bytes.count == 16 else {
            return !privateIPv4.contains { $0.contains(address) }
        }
        if let carrier = carriers.first(where: { $0.prefix.contains(address) }) {
            return IPAddress(bytes: address.bytes.dropFirst(carrier.offset).prefix(4))
                .map(isPublic) ?? false
        }
        return unicastIPv6.contains { $0.contains(address) }
            && !privateIPv6.contains { $0.contains(address) }
    }

    /// Whether a host may be asked as far as its name tells; an address behind a name is known
    /// only once it has been looked up.
    ///
    /// Behind a proxy, which looks it up itself, the name is all there ever is: names that only a
    /// private network can have are refused then. One that looks public may lead anywhere the proxy
    /// can reach: that is for the proxy's own rules to forbid.
    static func mayBePublic(host: String, isBehindProxy: Bool = false) -> Bool {
        if let address = IPAddress(host) { return isPublic(address) }
        let name = host.lowercased().trimmingSuffix(".")
        // RFC 6761, 6.3: all of these are loopback.
        guard name != "localhost", !name.hasSuffix(".localhost") else { return false }
        return !isBehindProxy
            || (name.contains(".") && !privateSuffixes.contains { name.hasSuffix($0) })
    }

    /// Multicast DNS (RFC 6762), home networks (RFC 8375), and what ICANN has set aside.
    private static let privateSuffixes = [".local", ".home.arpa", ".internal"]
}

extension String {
    /// Without one more of the suffix, if it has it.
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

/// An IPv4 or IPv6 address: four or sixteen bytes in network order.
struct IPAddress: Hashable, Sendable {
    let bytes: [UInt8]

    /// Nil unless there are four or sixteen bytes.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads "192.0.2.1" or "2001:db8::1", the latter also in brackets or with a zone.
    ///
    /// Nothing else: "127.1" and "0x7f000001" are names here. libcurl's URL parser has rewritten
    /// those before.
    init?(_ text: String) {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let inner = isBracketed ? text.dropFirst().dropLast() : Substring(text)
        let address = String(inner.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, address, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, address, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }
}

/// All addresses that begin with the same bits.
struct IPPrefix: Hashable, Sendable {
    private let address: IPAddress
    private let bitCount: Int

    /// Reads "10.0.0.0/8" or "fc00::/7"; an address without a length stands for itself.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        self.address = address
        let longest = address.bytes.count * 8
        guard parts.count == 2 else {
            bitCount = longest
            return
        }
        guard let count = Int(parts[1]), (0...longest).contains(count) else { return nil }
        bitCount = count
    }

    /// False for an address of the other version.
    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (whole, rest) = bitCount.quotientAndRemainder(dividingBy: 8)
        guard other.bytes.prefix(whole) == address.bytes.prefix(whole) else { return false }
        return rest == 0 || (other.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}
