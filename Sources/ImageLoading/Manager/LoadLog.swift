internal import Logging

/// Writes a line about each load that ends: failures at level `notice`, the rest at `debug`.
struct LoadLog: Sendable {
    let logger: Logger

    func record(_ request: ImageRequest, _ result: Result<ImageResponse, ImageLoadingError>) {
        switch result {
        case .success(let response):
            logger.debug(
                "loaded",
                metadata: [
                    "url": "\(Self.publicPart(of: request.url))",
                    "source": "\(response.source.rawValue)", "bytes": "\(response.byteCount)",
                ]
            )
        case .failure(let error) where error.kind == .cancelled:
            logger.debug("cancelled", metadata: ["url": "\(Self.publicPart(of: request.url))"])
        case .failure(let error):
            logger.notice(
                "failed",
                metadata: [
                    "url": "\(Self.publicPart(of: request.url))",
                    "reason": "\(Self.publicReason(of: error))",
                    "stage": "\(error.stage.rawValue)", "class": "\(error.kind.rawValue)",
                ]
            )
        }
    }

    /// Without the text of a bad URL, which may have a password in it.
    static func publicReason(of error: ImageLoadingError) -> String {
        if case .invalidURL = error.reason { "not a URL" } else { error.description }
    }

    /// Scheme, host and path.
    ///
    /// User names, passwords and queries (signed URLs carry their secret there) are left out,
    /// control characters too.
    static func publicPart(of url: String) -> String {
        // In any case of letters, as the URL parser takes it.
        guard url.prefix(5).lowercased() != "data:" else { return "data:" }
        let beforeQuery = url.prefix { $0 != "?" && $0 != "#" }
        let printable = beforeQuery.filter { character in
            character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        guard let slashes = printable.firstRange(of: "://") else { return printable }
        let authority = printable[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return printable }
        return String(printable[..<slashes.upperBound] + printable[printable.index(after: at)...])
    }
}
