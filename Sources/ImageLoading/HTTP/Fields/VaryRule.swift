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
