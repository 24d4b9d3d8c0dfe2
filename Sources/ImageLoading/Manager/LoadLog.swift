internal import Logging

/// Logs one line for each load that has ended.
///
/// Failures are logged at `notice` level, all other results at `debug` level.
struct LoadLog: Sendable {
    let logger: Logger

    func record(_ request: ImageRequest, _ result: Result<ImageResponse, ImageLoadingError>) {
        switch result {
        case .success(let response):
            logger.debug(
                "loaded",
                metadata: [
                    "url": "\(URLParts.redacted(request.url))",
                    "source": "\(response.source.rawValue)", "bytes": "\(response.byteCount)",
                ]
            )
        case .failure(let error) where error.kind == .cancelled:
            logger.debug("cancelled", metadata: ["url": "\(URLParts.redacted(request.url))"])
        case .failure(let error):
            logger.notice(
                "failed",
                metadata: [
                    "url": "\(URLParts.redacted(request.url))",
                    "reason": "\(Self.publicReason(of: error))",
                    "stage": "\(error.stage.rawValue)", "class": "\(error.kind.rawValue)",
                ]
            )
        }
    }

    /// Returns the reason for a failure; for an invalid URL, returns only "not a URL".
    ///
    /// The text of an invalid URL may contain a password.
    static func publicReason(of error: ImageLoadingError) -> String {
        if case .invalidURL = error.reason { "not a URL" } else { error.description }
    }
}

/// The counters of the manager.
///
/// The downloader and the caches have their own counters.
struct LoadCounters {
    private(set) var started = 0
    private(set) var succeeded = 0
    private(set) var failed = 0
    private(set) var failedInBackground = 0
    private(set) var cancelled = 0
    private(set) var replaced = 0
    var decodeTimes = DurationHistogram()
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
        isBackground: Bool,
        isReplaced: @autoclosure () -> Bool
    ) {
        switch result {
        case .success: succeeded += 1
        case .failure(let error) where error.kind == .cancelled:
            cancelled += 1
            if isReplaced() { replaced += 1 }
        case .failure:
            failed += 1
            if isBackground { failedInBackground += 1 }
        }
    }
}
