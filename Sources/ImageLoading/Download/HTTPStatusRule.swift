/// Which statuses answer a request, and what kind of failure the others are (table 1.12).
struct HTTPStatusRule {
    private let asksForRange: Bool
    private let asksForChange: Bool

    init(_ request: TransferRequest) {
        asksForRange = request.headers.contains { $0.isNamed("Range") }
        asksForChange = request.headers.contains {
            $0.isNamed("If-None-Match") || $0.isNamed("If-Modified-Since")
        }
    }

    /// Nil for 200, and for 206 and 304 if the request asked for them (open point e, row F21).
    func error(for status: Int) -> ImageLoadingError? {
        switch status {
        case 200: nil
        case 206 where asksForRange: nil
        case 304 where asksForChange: nil
        default: .download(Self.kind(of: status), .httpStatus(status))
        }
    }

    /// 206 and 304 that nobody asked for are a server's slip, which a second request may cure.
    static func kind(of status: Int) -> ImageLoadingError.Class {
        switch status {
        case 206, 304, 408, 425, 429, 500...599: .transient
        default: .permanent
        }
    }
}
