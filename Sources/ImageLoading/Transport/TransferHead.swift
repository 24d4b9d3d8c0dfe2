/// The head of a final response (redirects are followed inside the transport).
public struct TransferHead: Hashable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// Content-Length, if one was sent and the body is not content-encoded.
    public let expectedByteCount: Int?
    /// Header fields by lower-case name; the lines of a list are joined, of others the last wins.
    public let headers: [String: String]
    /// The version that was spoken: "1.0", "1.1", "2" or "3"; nil if the transport doesn't know.
    public let httpVersion: String?
    /// Whether the server's certificate could not be verified and was taken nevertheless, because
    /// the request's policy allows it (row O10).
    public var hasUnverifiedCertificate = false

    /// Makes a head.
    public init(
        status: Int,
        expectedByteCount: Int?,
        headers: [String: String] = [:],
        httpVersion: String? = nil
    ) {
        self.status = status
        self.expectedByteCount = expectedByteCount
        self.headers = headers
        self.httpVersion = httpVersion
    }
}
