import Feeds
import GalleryCore
import TerminalUI

/// Counts failed images by error class and host in a table of limited size.
///
/// This type has no side effects.
struct FailureSummary: Sendable {
    private struct Key: Hashable, Comparable {
        let kind: String
        let host: String

        static func < (left: Key, right: Key) -> Bool {
            (left.kind, left.host) < (right.kind, right.host)
        }
    }

    /// The maximum number of combinations of error class and host to count separately.
    ///
    /// Failures with any other combination are counted together.
    private static let mostHosts = 1_000
    /// The maximum number of lines in the summary.
    private static let mostLines = 10
    /// The minimum number of failures for which a summary is useful.
    private static let leastCount = 11

    private var counts: [Key: Int] = [:]
    private var total = 0

    mutating func count(_ failure: FetchReport.Failure, of url: String) {
        total += 1
        let key = Key(kind: failure.kind, host: Self.host(of: url))
        let isNew = counts[key] == nil && counts.count >= Self.mostHosts
        counts[isNew ? Key(kind: failure.kind, host: Self.others) : key, default: 0] += 1
    }

    private static let others = "other hosts"

    /// Returns the host and port of a URL, or "no host" for a file.
    private static func host(of url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return "no host" }
        let host = url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return host.isEmpty ? "no host" : String(host.prefix(255))
    }

    /// The most frequent failures, one per line, or an empty array if there were fewer than
    /// `leastCount` failures.
    var lines: [String] {
        guard total >= Self.leastCount else { return [] }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(Self.mostLines)
        let rest = total - shown.reduce(0) { $0 + $1.value }
        return shown.map { key, count in
            "\(CountText.grouped(count)) failed: \(key.kind), \(key.host)"
        } + (rest > 0 ? ["\(CountText.grouped(rest)) failed elsewhere"] : [])
    }
}
