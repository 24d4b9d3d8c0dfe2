import Feeds
import GalleryCore

/// Reports that are held back until the tar file (shard) with their samples is complete.
///
/// A reported sample must be on disk. If a run is killed, the samples in its incomplete shard are
/// lost, but none of them have been reported. This type has no side effects.
struct HeldReports: Sendable {
    struct Line: Sendable {
        let report: FetchReport
        let fields: [ListEntry.Field]
    }

    private var lines: [Line] = []

    /// The maximum number of held reports.
    ///
    /// If most entries of a list fail, the shard is ended early when this limit is reached.
    static let mostLines = 20_000

    /// Returns true if a report must be printed now, or holds it back and returns false.
    ///
    /// If `keepsOrder` is true, a report is also held back until all earlier reports have been
    /// printed.
    mutating func mayTell(_ line: Line, keepsOrder: Bool) -> Bool {
        let waits = line.report.shard != nil || (keepsOrder && !lines.isEmpty)
        if waits { lines.append(line) }
        return !waits
    }

    /// Whether the limit on held reports has been reached, so the open shard must be ended.
    var isFull: Bool { lines.count >= Self.mostLines }

    /// Returns and removes all held reports.
    ///
    /// Call this method when their shard is complete.
    mutating func release() -> [Line] {
        defer { lines = [] }
        return lines
    }
}
