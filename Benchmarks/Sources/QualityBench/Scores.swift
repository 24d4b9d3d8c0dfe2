import Measuring

/// Decibels by name, for the same images with each name.
struct Scores {
    private let names: [String]
    private var values: [String: [Double]] = [:]
    private var failures: [String: Int] = [:]

    init(names: [String]) {
        self.names = names
    }

    /// Records the score of an image; nil counts as a failure.
    mutating func add(_ value: Double?, for name: String) {
        guard let value else { return failures[name, default: 0] += 1 }
        values[name, default: []].append(value)
    }

    /// Adds the scores of another value.
    mutating func add(_ other: Scores) {
        values.merge(other.values, uniquingKeysWith: +)
        failures.merge(other.failures, uniquingKeysWith: +)
    }

    /// Returns the median; a name without scores reaches no goal.
    func median(_ name: String) -> Double { values[name]?.median ?? -.infinity }

    /// "47.12 (33.40)" for each name, and the number of images without a score.
    var texts: [String] {
        names.map { name in
            guard let values = values[name], let worst = values.min() else { return "-" }
            let failed = failures[name].map { ", \($0) failed" } ?? ""
            return "\(values.median.text()) (\(worst.text())\(failed))"
        }
    }
}
