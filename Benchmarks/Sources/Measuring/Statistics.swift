extension Array<Double> {
    /// The median of at least one number: the middle one, or the mean of the two middle ones.
    public var median: Double {
        precondition(!isEmpty, "nothing was measured")
        let sorted = sorted()
        let middle = sorted.count / 2
        guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
        return (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The sum of all numbers.
    public var sum: Double { reduce(0, +) }
}

extension Double {
    /// Returns the number with the given number of decimals, such as "12.35".
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
