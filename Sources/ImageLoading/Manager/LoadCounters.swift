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
