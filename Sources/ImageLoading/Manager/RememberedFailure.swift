/// A URL or a host that is not asked at the moment, because it failed.
public struct RememberedFailure: Hashable, Sendable {
    /// The URL as it was asked for, or host and port if all of its URLs are meant.
    ///
    /// It may have secrets in it that the URL had.
    public let subject: String
    /// What went wrong, in words.
    public let text: String
    /// How long it will not be asked; nil for the rest of the session.
    public let remaining: Duration?
}
