extension Array<Double> {
    /// The middle one, or the mean of the two in the middle; of at least one.
    public var median: Double {
        precondition(!isEmpty, "nothing was measured")
        let sorted = sorted()
        let middle = sorted.count / 2
        guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
        return (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// All of them together.
    public var sum: Double { reduce(0, +) }
}

extension Double {
    /// The number with so many digits behind the point: "12.35".
    public func text(decimals: Int = 2) -> String {
        guard isFinite else { return "-" }
        let factor = (0..<decimals).reduce(1.0) { value, _ in value * 10 }
        let digits = "\(Int((magnitude * factor).rounded()))"
        let zeros = String(repeating: "0", count: Swift.max(0, decimals + 1 - digits.count))
        let padded = zeros + digits
        let sign = self < 0 ? "-" : ""
        guard decimals > 0 else { return sign + padded }
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}
