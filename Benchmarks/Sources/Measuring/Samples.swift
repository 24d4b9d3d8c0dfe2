/// Durations of equal pieces of work.
public struct Samples: Sendable {
    private let sorted: [Duration]

    /// Takes at least one duration.
    public init(_ durations: [Duration]) {
        precondition(!durations.isEmpty, "nothing was measured")
        sorted = durations.sorted()
    }

    /// Runs `work`, which does `count` equal things, several times; the samples are those of one
    /// thing.
    ///
    /// The first run warms up and isn't counted.
    public init(runs: Int = 9, of count: Int, _ work: () -> Void) {
        let clock = ContinuousClock()
        work()
        self.init((0..<runs).map { _ in clock.measure(work) / count })
    }

    /// The middle one.
    public var median: Duration { sorted[sorted.count / 2] }

    /// The shortest, which disturbances touch least.
    public var least: Duration { sorted[0] }

    /// The one that one in twenty exceeds.
    public var percentile95: Duration { sorted[min(sorted.count - 1, sorted.count * 95 / 100)] }
}

extension Duration {
    /// "12.3 ns", "45.6 µs" or "7.8 ms".
    public var text: String {
        let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
        for (unit, factor) in [("ns", 1e9), ("µs", 1e6)] where seconds * factor < 1000 {
            return "\(Self.rounded(seconds * factor)) \(unit)"
        }
        return "\(Self.rounded(seconds * 1000)) ms"
    }

    /// One decimal.
    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

/// A table on standard output, the first column to the left, the others to the right.
public func printTable(_ rows: [[String]]) {
    let widths = (rows.first ?? []).indices.map { column in
        rows.map { $0[column].count }.max() ?? 0
    }
    for row in rows {
        let cells = zip(row, widths).enumerated().map { column, cell in
            let padding = String(repeating: " ", count: cell.1 - cell.0.count)
            return column == 0 ? cell.0 + padding : padding + cell.0
        }
        print(cells.joined(separator: "  "))
    }
}
