/// What makes two requests for one URL different bytes: the fields and the policy that the server
/// sees (row F24, theme T22).
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
