/// The durations of equal pieces of work.
public struct Samples: Sendable {
    private let sorted: [Duration]

    /// Creates samples from at least one duration.
    public init(_ durations: [Duration]) {
        precondition(!durations.isEmpty, "nothing was measured")
        sorted = durations.sorted()
    }

    /// Runs `work`, which performs `count` equal pieces of work, several times; each sample is the
    /// time of one piece.
    ///
    /// The first run is a warm-up and is not counted.
    public init(runs: Int = 9, of count: Int, _ work: () -> Void) {
        let clock = ContinuousClock()
        work()
        self.init((0..<runs).map { _ in clock.measure(work) / count })
    }

    /// The median.
    public var median: Duration { sorted[sorted.count / 2] }

    /// The shortest duration, which disturbances affect least.
    public var least: Duration { sorted[0] }

    /// The duration that one in twenty samples exceeds.
    public var percentile95: Duration { sorted[min(sorted.count - 1, sorted.count * 95 / 100)] }
}

extension Duration {
    /// The duration as text, such as "12.3 ns", "45.6 µs" or "7.8 ms".
    public var text: String {
        let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
        for (unit, factor) in [("ns", 1e9), ("µs", 1e6)] where seconds * factor < 1000 {
            return "\(Self.rounded(seconds * factor)) \(unit)"
        }
        return "\(Self.rounded(seconds * 1000)) ms"
    }

    /// Rounds to one decimal.
    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

/// Prints a table on standard output, with the first column left-aligned and the others
/// right-aligned.
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
