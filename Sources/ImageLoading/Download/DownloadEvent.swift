/// What a download tells its listener before it ends.
public enum DownloadEvent: Hashable, Sendable {
    /// It waits for a free transfer.
    case queued
    /// The transfer runs. First `(0, nil)` at its start, then `(0, expected)` when the head is
    /// there, then once for each piece of the body; `received` never falls (row O2).
    case progress(LoadProgress)
}
