/// Labels: what they are called, whether they are kept, and which were given earlier.
public struct LabelSettings: Hashable, Sendable {
    /// The names of label 1 and those behind it.
    public var names: [String]
    /// Whether decisions are written down.
    public var isKept: Bool
    /// By the pictures' URLs, without a login.
    public var given: [String: UInt8]

    /// What a person should know of the file that has them, on one line.
    public var remark: String?

    /// As many as there are digits for.
    public static let maximumCount = 9

    /// Makes settings; by default the names keep, maybe and reject, and nothing is kept.
    public init(
        names: [String] = ["keep", "maybe", "reject"],
        isKept: Bool = false,
        given: [String: UInt8] = [:]
    ) {
        self.names = Array(names.prefix(Self.maximumCount))
        self.isKept = isKept
        self.given = given
    }
}
