/// When a request was sent and when its answer came, by our own wall clock.
struct ExchangeTimes: Hashable, Sendable {
    /// Seconds since 1970-01-01 UTC.
    let request: Int
    /// Seconds since 1970-01-01 UTC.
    let response: Int
}
