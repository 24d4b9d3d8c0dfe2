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
    /// as a cancelled load.
    func allowsUse(after error: ImageLoadingError) -> Bool {
        guard error.stage == .download || error.reason.isUnavailableHost else { return false }
        switch self {
        case .fresh, .staleUsable, .mayServeOnError(.serverErrors):
            return error.isNoAnswer || (500...599).contains(error.httpStatus ?? 0)
        case .mayServeOnError(.noAnswer): return error.isNoAnswer
        case .mustRevalidate, .notStorable: return false
        }
    }
}

extension ImageLoadingError {
    /// Whether the server couldn't be asked at all, or its answer got lost on the way.
    fileprivate var isNoAnswer: Bool {
        guard isRetryable || reason.isUnavailableHost else { return false }
        return httpStatus == nil
    }
}

extension ImageLoadingError.Reason {
    fileprivate var isUnavailableHost: Bool {
        guard case .hostUnavailable = self else { return false }
        return true
    }
}
