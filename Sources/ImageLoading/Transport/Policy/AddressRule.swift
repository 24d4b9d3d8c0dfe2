internal import Glibc

/// Restricts URLs from the network to public IP addresses.
///
/// Without this rule, a feed could use any host name to make this machine send requests to other
/// machines in its network, or to a cloud's metadata service at 169.254.169.254. The rule therefore
/// applies to IP addresses, and each address is checked before a socket to it is opened.
///
/// The tables contain multicast addresses and the addresses in IANA's special-purpose registries
/// (RFC 6890) that are not globally reachable.
enum AddressRule {
    private static let privateIPv4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap { IPPrefix($0) }

    /// The IPv6 unicast addresses that may be public.
    ///
    /// All other addresses are loopback, link-local, unique local, multicast or unassigned.
    private static let unicastIPv6 = ["2000::/3"].compactMap { IPPrefix($0) }

    /// The addresses in `unicastIPv6` that are not public.
    ///
    /// They are protocol assignments, including Teredo, and addresses for documentation.
    private static let privateIPv6 = ["2001::/23", "2001:db8::/32", "3fff::/20"]
        .compactMap { IPPrefix($0) }

    /// The prefixes of IPv6 addresses that contain an IPv4 address, each with the byte offset of
    /// the IPv4 address.
    ///
    /// These are mapped addresses (RFC 4291), NAT64 (RFC 6052) and 6to4 (RFC 3056).
    private static let carriers = [("::ffff:0:0/96", 12), ("64:ff9b::/96", 12), ("2002::/16", 2)]
        .compactMap { text, offset in IPPrefix(text).map { (prefix: $0, offset: offset) } }

    /// Returns whether an address may be contacted.
    ///
    /// If an IPv6 address contains an IPv4 address, only the IPv4 address is checked. In a network
    /// with NAT64, all public IPv4 addresses are contacted through such IPv6 addresses.
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

    /// Returns whether a host may be contacted, judging by its name alone.
    ///
    /// The address of a host is known only after its name has been resolved. A proxy resolves the
    /// name itself, so with a proxy the address is never known. In that case, names that can exist
    /// only in a private network are refused. A name that looks public may lead to any address that
    /// the proxy can reach; the proxy's own rules must block it.
    static func mayBePublic(host: String, isBehindProxy: Bool = false) -> Bool {
        if let address = IPAddress(host) { return isPublic(address) }
        let name = host.lowercased().trimmingSuffix(".")
        // All of these names refer to the loopback interface (RFC 6761, 6.3).
        guard name != "localhost", !name.hasSuffix(".localhost") else { return false }
        return !isBehindProxy
            || (name.contains(".") && !privateSuffixes.contains { name.hasSuffix($0) })
    }

    /// The suffixes of names in private networks.
    ///
    /// They are used for multicast DNS (RFC 6762) and home networks (RFC 8375), or reserved by
    /// ICANN.
    private static let privateSuffixes = [".local", ".home.arpa", ".internal"]
}

extension String {
    /// Returns the string without `suffix`; at most one occurrence is removed.
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

/// An IPv4 or IPv6 address: 4 or 16 bytes in network order.
struct IPAddress: Hashable, Sendable {
    let bytes: [UInt8]

    /// Creates an address from 4 or 16 bytes; returns nil for any other number of bytes.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Parses "192.0.2.1" or "2001:db8::1"; an IPv6 address may have brackets or a zone.
    ///
    /// Other spellings, such as "127.1" and "0x7f000001", are treated as names. They do not occur
    /// in URLs here, because `URLAddress`, or libcurl's URL parser in a redirect, has normalized
    /// them.
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

/// An IP prefix, which matches all addresses that begin with the same bits.
struct IPPrefix: Hashable, Sendable {
    private let address: IPAddress
    private let bitCount: Int

    /// Parses "10.0.0.0/8" or "fc00::/7"; without a length, the prefix matches a single address.
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

    /// Returns whether an address begins with the prefix.
    ///
    /// Returns false if the address and the prefix have different IP versions.
    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (whole, rest) = bitCount.quotientAndRemainder(dividingBy: 8)
        guard other.bytes.prefix(whole) == address.bytes.prefix(whole) else { return false }
        return rest == 0 || (other.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}
