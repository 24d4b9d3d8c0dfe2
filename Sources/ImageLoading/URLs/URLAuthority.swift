/// The part of a web URL between "//" and the path: `[userinfo@]host[:port]` (RFC 3986, 3.2).
struct URLAuthority {
    /// The normalized authority.
    let bytes: [UInt8]
    /// The index at which the path begins in the whole URL.
    let end: Int

    /// Normalizes an authority: converts the host to lowercase, and removes the default port.
    ///
    /// Ambiguous input is rejected. If the transport parsed the host differently, the checks of
    /// hosts could be bypassed.
    static func normalize(
        _ source: ArraySlice<UInt8>,
        scheme: ImageURL.Scheme
    ) -> Result<URLAuthority, URLProblem> {
        let hostStart = source.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? source.startIndex
        let user = source[..<hostStart]
        let hostAndPort = source[hostStart...]
        guard !user.contains(where: isUnsafeInUser) else {
            return .failure(URLProblem("invalid character in user name"))
        }
        let isEmpty = user.allSatisfy { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ":") }
        let host = hostPrefix(of: hostAndPort)
        return checkedHost(host).flatMap { host in
            normalizedPort(hostAndPort[host.end...], scheme: scheme).map { port in
                URLAuthority(
                    bytes: (isEmpty ? [] : PercentCoding.encodedNonASCII(user)) + host.bytes + port,
                    end: source.endIndex
                )
            }
        }
    }

    /// Returns the host, up to the colon of the port; an IPv6 address includes its brackets.
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
        var name = host
        if !name.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) {
            switch InternationalHost.ascii(name) {
            case .success(let ascii): name = ascii[...]
            case .failure(let problem): return .failure(problem)
            }
        }
        guard name.count <= 255 else { return .failure(URLProblem("host too long")) }
        guard isName(name) || isAddressLiteral(name) else {
            return .failure(URLProblem("invalid character in host"))
        }
        return .success((ASCII.lowercased(name), host.endIndex))
    }

    private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
        host.allSatisfy { ASCII.isAlphanumeric($0) || isNameSign($0) }
    }

    private static func isNameSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    private static func isAddressLiteral(_ host: ArraySlice<UInt8>) -> Bool {
        guard host.count > 2, host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else {
            return false
        }
        return host.dropFirst().dropLast().allSatisfy {
            ASCII.isHexadecimal($0) || ":.".utf8.contains($0)
        }
    }

    /// Returns ":port"; empty if there is no port or if it is the default port of the scheme.
    private static func normalizedPort(
        _ source: ArraySlice<UInt8>,
        scheme: ImageURL.Scheme
    ) -> Result<[UInt8], URLProblem> {
        let digits = source.dropFirst()
        guard source.isEmpty || source.first == UInt8(ascii: ":") else {
            return .failure(URLProblem("invalid character in host"))
        }
        guard !digits.isEmpty else { return .success([]) }
        guard digits.allSatisfy(ASCII.isDigit),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port)
        else { return .failure(URLProblem("invalid port")) }
        let isDefault = port == (scheme == .https ? 443 : 80)
        return .success(isDefault ? [] : Array(":\(port)".utf8))
    }

    /// Returns whether a byte is not allowed in the user name.
    ///
    /// A backslash is not allowed: some parsers end the host there, and others treat it as a part
    /// of the user name.
    private static func isUnsafeInUser(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: " ")
    }
}
