internal import Glibc

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
