internal import Decoders

extension ImageLoadingError: CustomStringConvertible {
    /// A short reason, fit for a cell of the gallery or one line of a log; no URL, no secrets.
    public var description: String {
        switch reason {
        case .cancelled: "cancelled"
        case .invalidURL(let text): "not a URL: \(text)"
        case .forbiddenScheme(let scheme): "\(scheme): addresses are not allowed here"
        case .remembered(let text, .max): "\(text) (press r to ask again)"
        case .remembered(let text, let seconds):
            "\(text) (again in \(Self.text(forSeconds: seconds)), or press r)"
        case .notCached: "not in the cache"
        case .downloadForbidden: "download not allowed"
        case .privateAddress(let host): "\(host) is a private address"
        case .hostUnavailable(let host, let seconds):
            "\(host) is failing (again in \(Self.text(forSeconds: seconds)))"
        case .rangeMismatch: "the server sent another part than asked for"
        case .processing(let identifier): "\(identifier) gave no picture"
        case .httpStatus(let status): Self.text(forStatus: status)
        case .transport(let failure): failure.text
        case .tooLarge(let limit): "larger than \(limit >> 20) MiB"
        case .emptyBody: stage == .download ? "the server sent nothing" : "empty file"
        case .lengthMismatch(let received, let expected):
            "transfer cut short: \(received) of \(expected) bytes"
        case .unreadableFile(let text): text
        case .outOfResources(let text): text
        case .decoding(let error): error.description
        }
    }

    /// Never less than there is to wait.
    private static func text(forSeconds seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\((seconds + 59) / 60) min"
        default: "\((seconds &+ 3599) / 3600) h"
        }
    }

    private static func text(forStatus status: Int) -> String {
        switch status {
        case 400: "400 bad request"
        case 401: "401 login needed"
        case 403: "403 forbidden"
        case 404: "404 not found"
        case 410: "410 gone"
        case 429: "429 too many requests"
        case 500: "500 server error"
        case 502: "502 bad gateway"
        case 503: "503 service unavailable"
        case 504: "504 gateway timeout"
        default: "HTTP \(status)"
        }
    }

    /// libcurl's code, if it was libcurl that failed.
    public var curlCode: Int? {
        guard case .transport(let failure) = reason else { return nil }
        return failure.curlCode
    }
}
