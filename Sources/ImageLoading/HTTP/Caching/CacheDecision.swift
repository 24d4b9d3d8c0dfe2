/// What a kept response may be used for.
enum CacheDecision: Hashable, Sendable {
    /// Use it, nobody need be asked.
    case fresh
    /// Use it, and ask the server in the background (`stale-while-revalidate`, RFC 5861).
    case staleUsable
    /// Ask first; use it if asking fails as `covers` allows.
    case mayServeOnError(ErrorCover)
    /// Ask first, and don't use it without the server's consent.
    case mustRevalidate
    /// It should not be there: delete it, and fetch anew.
    case notStorable

    /// Which failures of asking let a stale response be used.
    enum ErrorCover: Hashable, Sendable {
        /// No answer came from the server (RFC 9111, 4.2.4: disconnected).
        case noAnswer
        /// That, and an answer with 5xx (`stale-if-error`, RFC 5861).
        case serverErrors
    }

    /// Whether the response may be used after asking failed with this error (row M19).
    ///
    /// Never after a 4xx: the server has spoken. Never after what isn't a failure of asking, such
    /// as a load that was cancelled or forbidden.
    func allowsUse(after error: ImageLoadingError) -> Bool {
        switch self {
        case .fresh, .staleUsable, .mayServeOnError(.serverErrors):
            error.isNoAnswer || (500...599).contains(error.httpStatus ?? 0)
        case .mayServeOnError(.noAnswer): error.isNoAnswer
        case .mustRevalidate, .notStorable: false
        }
    }
}

extension ImageLoadingError {
    /// Whether the server can't be asked at present, or its answer got lost on the way.
    fileprivate var isNoAnswer: Bool {
        switch reason {
        case .hostUnavailable: true
        // A moment ago it couldn't be asked; asking again was put off by our own rule.
        case .remembered: isRetryable
        default: stage == .download && isRetryable && httpStatus == nil
        }
    }
}
