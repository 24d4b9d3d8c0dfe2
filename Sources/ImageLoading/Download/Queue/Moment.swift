/// One reading of the engine's clocks.
struct Moment: Hashable, Sendable {
    /// As in `LoadingClock`.
    var uptime = Duration.zero
    /// Seconds since 1970; only for dates that a server writes.
    var wallTime = 0
}
