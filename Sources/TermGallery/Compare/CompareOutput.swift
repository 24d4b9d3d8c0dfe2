import Decoders
import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

/// The printed output of `compare`: JSON lines, or a table for people.
struct CompareOutput {
    private let isBatch: Bool
    private var counts: [CompareReport.Status: Int] = [:]
    /// The reports of the pairs that are not equal, which the table contains.
    private var reports: [CompareReport] = []
    private(set) var result: ResultOutput

    init(isBatch: Bool, result: ResultOutput = ResultOutput()) {
        (self.isBatch, self.result) = (isBatch, result)
    }

    /// Whether all reports are of equal or similar images.
    var isAccepted: Bool { counts.keys.allSatisfy(\.isAccepted) }

    /// Prints a report, or stores it for the table; returns whether the output is still open.
    mutating func take(_ report: CompareReport) -> Bool {
        counts[report.status, default: 0] += 1
        if isBatch {
            result.write(report.jsonLine() + [UInt8(ascii: "\n")])
        } else if report.status != .equal {
            reports.append(report)
        }
        return result.isOpen
    }

    /// Prints the table and the summary, unless the output is JSON lines.
    mutating func end() {
        guard !isBatch else { return }
        let lines = CompareTable(reports).lines + [summary]
        result.write(lines.flatMap { Array("\(TerminalText($0).text)\n".utf8) })
    }

    private var summary: String {
        let parts = CompareReport.Status.allCases.compactMap { status in
            counts[status].map { "\(CountText.grouped($0)) \(status.text)" }
        }
        let total = counts.values.reduce(0, +)
        let pairs = total == 1 ? "1 pair" : "\(CountText.grouped(total)) pairs"
        return "\(pairs): \(parts.joined(separator: ", "))"
    }
}

extension CompareReport.Status {
    /// The name of the status in the summary.
    fileprivate var text: String {
        switch self {
        case .equal: "equal"
        case .similar: "similar"
        case .different: "different"
        case .sizeDiffers: "of different sizes"
        case .onlyInA: "only in A"
        case .onlyInB: "only in B"
        case .failed: "failed"
        }
    }
}

/// The lines of a table with the largest differences first.
struct CompareTable {
    private let reports: [CompareReport]

    init(_ reports: [CompareReport]) {
        self.reports = reports
    }

    /// The lines for pairs without figures, followed by the table of the other pairs.
    var lines: [String] {
        let table = rows
        guard !table.isEmpty else { return remarks }
        return remarks + [Self.heading] + table
    }

    private static let heading = "changed pixels    share  ΔE mean   ΔE p99     SSIM  name"

    private var remarks: [String] {
        reports.compactMap { report in
            Self.remark(on: report.outcome).map { "\(FileText.shown(report.name)): \($0)" }
        }
    }

    private static func remark(on outcome: CompareReport.Outcome) -> String? {
        switch outcome {
        case .compared: nil
        case .sizeDiffers(let one, let other): "\(one) in A, \(other) in B"
        case .onlyIn(let side): "only in \(side.rawValue.uppercased())"
        case .failed(let error, let side): "\(side.rawValue.uppercased()): \(error.description)"
        }
    }

    /// The rows in order of similarity.
    ///
    /// Small images, which have no similarity, follow in order of their color difference.
    private var rows: [String] {
        let results = reports.compactMap { report -> (String, ImageComparison)? in
            guard case .compared(let result, _) = report.outcome else { return nil }
            return (report.name, result)
        }
        let keys = results.map { ($1.structuralSimilarity ?? 2, -$1.meanColorDifference, $0) }
        return results.indices.sorted { keys[$0] < keys[$1] }.map { index in
            Self.row(results[index].0, results[index].1)
        }
    }

    private static func row(_ name: String, _ result: ImageComparison) -> String {
        // A similarity of 0.99999 must not look like that of equal images.
        let similarity = result.structuralSimilarity.map { decimals($0, 4, .down) }
        let columns = [
            (CountText.grouped(result.changedPixelCount), 14),
            (decimals(result.changedShare * 100, 2) + "%", 9),
            (decimals(result.meanColorDifference, 2), 9),
            (decimals(result.highColorDifference, 2), 9),
            (similarity ?? "-", 9),
        ]
        let padded = columns.map { text, width in
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        return padded.joined() + "  " + FileText.shown(name)
    }

    /// Returns a number with a fixed number of decimals.
    private static func decimals(
        _ value: Double,
        _ count: Int,
        _ rule: FloatingPointRoundingRule = .toNearestOrEven
    ) -> String {
        let scale = (0..<count).reduce(1) { scale, _ in scale * 10 }
        let number = Int((value * Double(scale)).rounded(rule))
        let digits = String(abs(number) % scale)
        let zeros = String(repeating: "0", count: count - digits.count)
        return (number < 0 ? "-" : "") + "\(abs(number) / scale).\(zeros)\(digits)"
    }
}
