internal import Decoders
internal import ImageLoading

/// Why a picture is missing, in few words: it has to fit into a cell.
enum FailureReason {
    static func text(for error: ImageLoadingError) -> String {
        switch error.reason {
        case .cancelled: "cancelled"
        case .invalidURL: "not a URL"
        case .forbiddenScheme(let scheme): "\(scheme): is not allowed here"
        case .remembered(let text, let seconds): "\(text) (again in \(seconds) s)"
        case .notCached: "not in the cache"
        case .httpStatus(let status): "HTTP \(status)\(meaning(ofStatus: status))"
        case .transport(_, let text): text
        case .tooLarge(let limit): "larger than \(CountText.bytes(limit))"
        case .emptyBody: "empty file"
        case .lengthMismatch(let received, let expected):
            "cut off: \(CountText.bytes(received)) of \(CountText.bytes(expected))"
        case .unreadableFile(let text): text
        case .decoding(let error): error.description
        }
    }

    private static func meaning(ofStatus status: Int) -> String {
        let meanings = [
            400: "bad request", 401: "login needed", 403: "forbidden", 404: "not found",
            408: "timed out", 410: "gone", 429: "too many requests", 500: "server error",
            502: "bad gateway", 503: "unavailable", 504: "gateway timed out",
        ]
        return meanings[status].map { " " + $0 } ?? ""
    }
}
