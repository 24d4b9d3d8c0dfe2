import Feeds
import GalleryCore

/// Reports that are held back until their shard is complete, because a reported sample must be on
/// disk.
///
/// This type has no side effects. If a run is killed, none of the samples that are lost with its
/// open shard have been reported.
struct HeldReports: Sendable {
    struct Line: Sendable {
        let report: FetchReport
        let fields: [ListEntry.Field]
    }

    private var lines: [Line] = []

    /// The maximum number of held reports; if most entries of a list fail, the shard is ended
    /// early.
    static let mostLines = 20_000

    /// Returns true if a report must be printed now; otherwise, holds the report back.
    ///
    /// If `keepsOrder` is true, each report waits for the earlier reports.
    mutating func mayTell(_ line: Line, keepsOrder: Bool) -> Bool {
        let waits = line.report.shard != nil || (keepsOrder && !lines.isEmpty)
        if waits { lines.append(line) }
        return !waits
    }

    /// Whether the limit on held reports is reached, so that the open shard must be ended.
    var isFull: Bool { lines.count >= Self.mostLines }

    /// Returns and removes all held reports.
    ///
    /// Call this method when their shard is complete.
    mutating func release() -> [Line] {
        defer { lines = [] }
        return lines
    }
}
