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
    /// control characters too. Of what is no URL that we would load nothing is left that might
    /// be a password.
    static func publicPart(of url: String) -> String {
        // White space before a URL is forgiven, and so is the case of its letters.
        let url = url.drop(while: \.isWhitespace)
        guard url.prefix(5).lowercased() != "data:" else { return "data:" }
        let beforeQuery = url.prefix { $0 != "?" && $0 != "#" }
        let printable = beforeQuery.filter { character in
            character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        guard let slashes = printable.firstRange(of: "://") else {
            return String(printable.split(separator: "@").last ?? "")
        }
        let authority = printable[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else {
            return isHostAndPort(authority) ? printable : "\(printable[..<slashes.upperBound])…"
        }
        return String(printable[..<slashes.upperBound] + printable[printable.index(after: at)...])
    }

    /// What ends like a port but is none is a password with a slash or a question mark in it.
    private static func isHostAndPort(_ authority: Substring) -> Bool {
        guard authority.last != "]", let colon = authority.lastIndex(of: ":") else { return true }
        return authority[colon...].dropFirst().allSatisfy(\.isNumber)
    }
}

/// What the manager itself counts; downloader and caches count their own.
struct LoadCounters {
    private(set) var started = 0
    private(set) var succeeded = 0
    private(set) var failed = 0
    private(set) var failedInBackground = 0
    private(set) var cancelled = 0
    var coalesced = 0
    var decodesSaved = 0
    var notModified = 0
    var staleAnswers = 0
    var leaseWaits = 0

    mutating func countStart() {
        started += 1
    }

    mutating func countEnd(
        _ result: Result<ImageResponse, ImageLoadingError>,
        isBackground: Bool
    ) {
        switch result {
        case .success: succeeded += 1
        case .failure(let error) where error.kind == .cancelled: cancelled += 1
        case .failure:
            failed += 1
            if isBackground { failedInBackground += 1 }
        }
    }
}
