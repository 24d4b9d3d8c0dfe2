import GalleryCore

/// Reports that are told only when their shard is whole: what they say is done must be on the disk.
///
/// Pure. A run that is killed has then told nothing of what is lost with its open shard.
struct HeldReports: Sendable {
    struct Line: Sendable {
        let report: FetchReport
        let fields: [ListEntry.Field]
    }

    private var lines: [Line] = []

    /// So many at most wait: of a list that fails for the most part the shard is ended early.
    static let mostLines = 20_000

    /// Takes a report; true if it is to be told now.
    ///
    /// `keepsOrder` has each wait for those before it.
    mutating func mayTell(_ line: Line, keepsOrder: Bool) -> Bool {
        let waits = line.report.shard != nil || (keepsOrder && !lines.isEmpty)
        if waits { lines.append(line) }
        return !waits
    }

    /// Whether the open shard has to be ended.
    var isFull: Bool { lines.count >= Self.mostLines }

    /// Hands over all: their shard is whole.
    mutating func release() -> [Line] {
        defer { lines = [] }
        return lines
    }
}
