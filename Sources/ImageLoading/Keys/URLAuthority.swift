/// The part of a web URL between "//" and the path: `[userinfo@]host[:port]` (RFC 3986, 3.2).
struct URLAuthority {
    /// The normalised text.
    let bytes: [UInt8]
    /// Where the path begins in the buffer the authority was sliced from.
    let end: Int

    /// Host in lower case, port only if it is not the scheme's; anything doubtful is refused,
    /// since a host read differently here and in the transport would get around its checks.
    static func normalise(
        _ source: ArraySlice<UInt8>,
        scheme: ImageURL.Scheme
    ) -> Result<URLAuthority, URLProblem> {
        let hostStart = source.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? source.startIndex
        let user = source[..<hostStart]
        let hostAndPort = source[hostStart...]
        guard !user.contains(where: isUnsafeInUser) else {
            return .failure(URLProblem("bad character in user name"))
        }
        let host = hostPrefix(of: hostAndPort)
        return checkedHost(host).flatMap { host in
            normalisedPort(hostAndPort[host.end...], scheme: scheme).map { port in
                URLAuthority(
                    bytes: PercentCoding.encodedNonASCII(user) + host.bytes + port,
                    end: source.endIndex
                )
            }
        }
    }

    /// Up to the colon of the port; an IPv6 address has its colons in brackets.
    private static func hostPrefix(of source: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard source.first == UInt8(ascii: "[") else {
            return source.prefix { $0 != UInt8(ascii: ":") }
        }
        let end = source.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? source.endIndex
        return source[..<end]
    }

    private static func checkedHost(
        _ host: ArraySlice<UInt8>
    ) -> Result<(bytes: [UInt8], end: Int), URLProblem> {
        guard !host.isEmpty else { return .failure(URLProblem("no host")) }
        guard host.count <= 255 else { return .failure(URLProblem("host too long")) }
        guard host.allSatisfy({ $0 < 0x80 }) else {
            return .failure(URLProblem("host is not ASCII, write it as xn--…"))
        }
        guard isName(host) || isAddressLiteral(host) else {
            return .failure(URLProblem("bad character in host"))
        }
        return .success((ASCII.lowercased(host), host.endIndex))
    }

    private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
        host.allSatisfy { ASCII.isAlphanumeric($0) || "-._".utf8.contains($0) }
    }

    private static func isAddressLiteral(_ host: ArraySlice<UInt8>) -> Bool {
        guard host.count > 2, host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else {
            return false
        }
        return host.dropFirst().dropLast().allSatisfy {
            ASCII.isHexadecimal($0) || ":.".utf8.contains($0)
        }
    }

    /// ":port" or nothing if it is empty or the scheme's own.
    private static func normalisedPort(
        _ source: ArraySlice<UInt8>,
        scheme: ImageURL.Scheme
    ) -> Result<[UInt8], URLProblem> {
        let digits = source.dropFirst()
        guard source.isEmpty || source.first == UInt8(ascii: ":") else {
            return .failure(URLProblem("bad character in host"))
        }
        guard !digits.isEmpty else { return .success([]) }
        guard digits.allSatisfy(ASCII.isDigit),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port)
        else { return .failure(URLProblem("bad port")) }
        let isDefault = port == (scheme == .https ? 443 : 80)
        return .success(isDefault ? [] : Array(":\(port)".utf8))
    }

    /// A backslash ends the host in some readers and belongs to the user name in others.
    private static func isUnsafeInUser(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: " ")
    }
}
