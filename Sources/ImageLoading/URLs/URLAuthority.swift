/// The part of a web URL between "//" and the path: `[userinfo@]host[:port]` (RFC 3986, 3.2).
struct URLAuthority {
    /// The normalized authority.
    let bytes: [UInt8]
    /// The index at which the path begins in the whole URL.
    let end: Int

    /// Normalizes an authority: converts the host to lowercase and removes the default port.
    ///
    /// Ambiguous input is rejected. If the transport parsed the host differently, the host checks
    /// could be bypassed.
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
        let host = hostPrefix(of: hostAndPort)
        return checkedHost(host).flatMap { host in
            normalizedPort(hostAndPort[host.end...], scheme: scheme).map { port in
                URLAuthority(
                    bytes: login(user.dropLast()) + host.bytes + port,
                    end: source.endIndex
                )
            }
        }
    }

    /// Returns the user name and the password, up to and including the "@"; empty if both are empty.
    private static func login(_ source: ArraySlice<UInt8>) -> [UInt8] {
        guard !source.isEmpty else { return [] }
        let name = source.prefix { $0 != UInt8(ascii: ":") }
        let password = source[name.endIndex...].dropFirst()
        let login =
            PercentCoding.encodedLogin(name)
            + (password.isEmpty ? [] : [UInt8(ascii: ":")] + PercentCoding.encodedLogin(password))
        return login.isEmpty ? [] : login + [UInt8(ascii: "@")]
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
        if host.first == UInt8(ascii: "[") {
            guard let address = URLAddress.ipv6(host) else {
                return .failure(URLProblem("invalid IPv6 address"))
            }
            return .success((address, host.endIndex))
        }
        var name = host
        if !name.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) {
            switch InternationalHost.ascii(name) {
            case .success(let ascii): name = ascii[...]
            case .failure(let problem): return .failure(problem)
            }
        }
        guard !name.isEmpty else { return .failure(URLProblem("no host")) }
        guard name.count <= 255 else { return .failure(URLProblem("host too long")) }
        guard isName(name) else { return .failure(URLProblem("invalid character in host")) }
        guard URLAddress.endsInNumber(name) else {
            return .success((ASCII.lowercased(name), host.endIndex))
        }
        guard let address = URLAddress.ipv4(name) else {
            return .failure(URLProblem("invalid IPv4 address"))
        }
        return .success((address, host.endIndex))
    }

    private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
        host.allSatisfy { ASCII.isAlphanumeric($0) || isNameSign($0) }
    }

    private static func isNameSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
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
    /// A backslash is not allowed: some parsers end the host there, and others treat it as part of
    /// the user name.
    private static func isUnsafeInUser(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: " ")
    }
}
