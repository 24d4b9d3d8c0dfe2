/// What a download tells its listener before it ends.
public enum DownloadEvent: Hashable, Sendable {
    /// It waits for a free transfer, or for its next attempt after a failure that may pass.
    case queued
    /// The transfer runs. First `(0, nil)` at its start, then `(0, expected)` when the head is
    /// there, then once for each piece of the body. A transfer that goes on from a partial body
    /// counts towards the whole, and stands at `(partial, whole)` with its head.
    ///
    /// `received` never falls within an attempt (row O2). The next attempt is announced by
    /// `queued`, and counts anew: what is lost is lost.
    case progress(LoadProgress)
    /// The body as far as it has come, and its whole length if that was announced; with each piece,
    /// and only for requests with `reportsPartials`.
    ///
    /// Shares its bytes with the download: who keeps them makes the next piece copy them all.
    case partial([UInt8], of: Int?)
}
