/// The request fields that a response depends on, with a digest of their values (RFC 9111, 4.1).
///
/// Only the digest is stored, because the values may be secrets.
struct VaryRule: Hashable, Sendable {
    /// The maximum total size of the names in bytes.
    static let byteLimit = 1024

    /// The lowercase names, sorted and without duplicates; empty if the response depends only on
    /// the URL.
    let names: [String]
    /// The digest of the values in the request; empty if there are no names.
    let digest: [UInt8]

    /// The rule for a response that depends only on its URL.
    static let none = VaryRule(names: [], digest: [])

    /// Creates a rule from the `Vary` field of the response and the fields of the request.
    ///
    /// `Accept-Encoding` is omitted, because bodies are stored decoded. A list that is too long is
    /// treated like `*`.
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

    /// Returns whether the response can be used for a request with these fields; `*` never matches.
    func matches(_ request: [HeaderField]) -> Bool {
        guard !names.isEmpty else { return true }
        guard !names.contains("*") else { return false }
        return digest == Self.digest(of: names, in: request)
    }

    /// Returns the rule for another request: the same names, with the digest of that request's
    /// values.
    func applied(to request: [HeaderField]) -> VaryRule { VaryRule(names: names, of: request) }

    private static func digest(of names: [String], in request: [HeaderField]) -> [UInt8] {
        let fields = names.flatMap { name in
            request.filter { $0.isNamed(name) }.map { HeaderField(name, $0.value) }
        }
        return MessageDigest.md5(HeaderField.unambiguousText(of: fields)).bytes
    }
}

/// A digest of the header fields and the policy of a request that can change the response.
///
/// The digest is used in cache keys and file names, which must not contain the values themselves.
struct RequestVariant: Hashable, Sendable {
    /// The digest: 32 hexadecimal digits in lower case.
    let digest: String

    /// Creates the variant of a request; returns nil if no field or policy can change the response.
    ///
    /// Every field counts unless it is known to be irrelevant, because any field may contain an API
    /// key.
    init?(headers: [HeaderField], policy: TransferPolicy = TransferPolicy()) {
        var fields = headers.filter { !Self.harmless.contains($0.name.lowercased()) }
        fields.sort {
            ($0.name.lowercased(), $0.value) < ($1.name.lowercased(), $1.value)
        }
        // These names are not valid field names, so no real field can be mistaken for them.
        if policy.handlesCookies { fields.append(HeaderField("cookies:", "")) }
        if let credentials = policy.credentials {
            fields.append(HeaderField("user:", credentials.user))
            fields.append(HeaderField("password:", credentials.password))
        }
        guard !fields.isEmpty else { return nil }
        digest = MessageDigest.md5(HeaderField.unambiguousText(of: fields)).hexadecimal
    }

    /// The names of fields that do not change the content of a resource.
    ///
    /// They affect only which of its bytes are sent and how.
    private static let harmless: Set<String> = [
        "accept-encoding", "cache-control", "connection", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "pragma", "priority",
        "range", "te", "user-agent",
    ]
}

extension HeaderField {
    /// Returns a string that differs whenever the fields differ.
    ///
    /// Each part is preceded by its length.
    static func unambiguousText(of fields: [HeaderField]) -> String {
        let parts = fields.flatMap { [$0.name.lowercased(), $0.value] }
        return parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}

extension MessageDigest {
    var bytes: [UInt8] {
        [high, low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
    }
}
