/// One header line of a request.
public struct HeaderField: Hashable, Sendable {
    /// The name; upper and lower case make no difference on the wire.
    public var name: String
    /// The value.
    ///
    /// A field whose name or value holds a control character is not sent, so that text from outside
    /// can't add lines of its own (RFC 9110, 5.5).
    public var value: String

    /// Joins a name and a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this is the field of that name, letter case apart.
    public func isNamed(_ other: String) -> Bool {
        name.lowercased() == other.lowercased()
    }
}
