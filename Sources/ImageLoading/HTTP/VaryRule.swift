/// Which fields of the request chose a response, and what they were (RFC 9111, 4.1).
///
/// The values are kept as a digest only: they may be secrets.
struct VaryRule: Hashable, Sendable {
    /// The most bytes of names that are kept.
    static let byteLimit = 1024

    /// In lower case, sorted, each once; empty if nothing but the URL chose.
    let names: [String]
    /// Of the fields' values in the request; empty if there are no names.
    let digest: [UInt8]

    /// Nothing but the URL chooses.
    static let none = VaryRule(names: [], digest: [])

    /// Reads the response's `Vary` beside the request's own fields.
    ///
    /// `Accept-Encoding` is left out: bodies are kept without content coding, so it changes
    /// nothing in them. A list that is too long counts as `*`.
    init(_ fieldValue: String?, of request: [HeaderField]) {
        let members = (fieldValue ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }
        let names = Set(members.map { $0.lowercased() }).subtracting(["accept-encoding"]).sorted()
        let isTooLong = names.reduce(0) { $0 + $1.utf8.count + 1 } > Self.byteLimit
        self.init(names: isTooLong || names.contains("*") ? ["*"] : names, of: request)
    }

    private init(names: [String], of request: [HeaderField]) {
        self.init(names: names, digest: names.isEmpty ? [] : Self.digest(of: names, in: request))
    }

    init(names: [String], digest: [UInt8]) {
        self.names = names
        self.digest = digest
    }

    /// Whether the response suits a request with these fields; `*` suits none.
    func matches(_ request: [HeaderField]) -> Bool {
        guard !names.isEmpty else { return true }
        guard !names.contains("*") else { return false }
        return digest == Self.digest(of: names, in: request)
    }

    /// The same rule for another request.
    func applied(to request: [HeaderField]) -> VaryRule { VaryRule(names: names, of: request) }

    private static func digest(of names: [String], in request: [HeaderField]) -> [UInt8] {
        let fields = names.flatMap { name in
            request.filter { $0.isNamed(name) }.map { HeaderField(name, $0.value) }
        }
        return MessageDigest.md5(HeaderField.unambiguousText(of: fields)).bytes
    }
}

/// What makes two requests for one URL different bytes: the fields and the policy that the server
/// sees.
///
/// Made for keys in caches and file names: it holds a digest, no value in clear.
struct RequestVariant: Hashable, Sendable {
    /// 32 lower-case digits.
    let digest: String

    /// Nil for a request that differs from a plain one by nothing that counts.
    ///
    /// A field that isn't known to be harmless counts: a key of an API may have any name.
    init?(headers: [HeaderField], policy: TransferPolicy = TransferPolicy()) {
        var fields = headers.filter { !Self.harmless.contains($0.name.lowercased()) }
        fields.sort {
            ($0.name.lowercased(), $0.value) < ($1.name.lowercased(), $1.value)
        }
        // Names that no field can have, so that nothing from outside looks like them.
        if policy.handlesCookies { fields.append(HeaderField("cookies:", "")) }
        if let credentials = policy.credentials {
            fields.append(HeaderField("user:", credentials.user))
            fields.append(HeaderField("password:", credentials.password))
        }
        guard !fields.isEmpty else { return nil }
        digest = MessageDigest.md5(HeaderField.unambiguousText(of: fields)).hexadecimal
    }

    /// They say how the bytes are to be sent, or which of them, but not which bytes there are.
    private static let harmless: Set<String> = [
        "accept-encoding", "cache-control", "connection", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "pragma", "priority",
        "range", "te", "user-agent",
    ]
}

extension HeaderField {
    /// A text that differs whenever the fields differ: each part behind its length.
    static func unambiguousText(of fields: [HeaderField]) -> String {
        let parts = fields.flatMap { [$0.name.lowercased(), $0.value] }
        return parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}

extension MessageDigest {
    /// Sixteen bytes, the first one of the digest first.
    var bytes: [UInt8] {
        [high, low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
    }
}
