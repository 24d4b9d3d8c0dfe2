import Measuring

/// Decibels by name, of the same pictures for each.
struct Scores {
    private let names: [String]
    private var values: [String: [Double]] = [:]
    private var failures: [String: Int] = [:]

    init(names: [String]) {
        self.names = names
    }

    /// Notes a picture's score; nil if there is none to be had.
    mutating func add(_ value: Double?, for name: String) {
        guard let value else { return failures[name, default: 0] += 1 }
        values[name, default: []].append(value)
    }

    /// Takes in others' scores.
    mutating func add(_ other: Scores) {
        values.merge(other.values, uniquingKeysWith: +)
        failures.merge(other.failures, uniquingKeysWith: +)
    }

    /// The median; nothing reaches a goal that has no score.
    func median(_ name: String) -> Double { values[name]?.median ?? -.infinity }

    /// "47.12 (33.40)" for each name, and how many pictures gave no score.
    var texts: [String] {
        names.map { name in
            guard let values = values[name], let worst = values.min() else { return "-" }
            let failed = failures[name].map { ", \($0) failed" } ?? ""
            return "\(values.median.text()) (\(worst.text())\(failed))"
        }
    }
}
