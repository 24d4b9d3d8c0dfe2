/// Formats sizes, counts, durations and percentages for the user.
package enum CountText {
    /// Returns a string such as "512 B", "1.2 kB" or "34 MB", with powers of 1000 and two or three
    /// digits.
    package static func bytes(_ count: Int) -> String {
        guard abs(count) >= 1000 else { return "\(count) B" }
        var value = Double(count)
        var unit = 0
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        value /= 1000
        while abs(value) >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        guard abs(value) < 9.95 else { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10)) \(units[unit])"
    }

    /// Returns an integer with commas between groups of three digits.
    package static func grouped(_ count: Int) -> String {
        let digits = Array(String(count))
        return digits.indices.map { index in
            let isStart = index > 0 && (digits.count - index).isMultiple(of: 3)
            return (isStart ? "," : "") + String(digits[index])
        }.joined()
    }

    /// Returns strings such as "3 GIF" and "1 WebP", with the largest number first.
    package static func parts(_ counts: [String: Int]) -> [String] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\(grouped($0.value)) \($0.key)" }
    }

    /// Returns a string such as "0.4 ms", "12 ms" or "1.5 s", with two or three digits.
    package static func time(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        if milliseconds >= 999.5 { return tenths(milliseconds / 1000) + " s" }
        return (milliseconds < 9.95 ? tenths(milliseconds) : "\(Int(milliseconds.rounded()))")
            + " ms"
    }

    /// Returns a string such as "40 s", "12 min", "3 h" or "5 days", in whole units, rounded down.
    package static func span(seconds: Int) -> String {
        switch abs(seconds) {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    /// Returns `value`, which must not be negative, with one decimal digit, such as "1.5".
    package static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns a string such as "82%", or "-" if the total is zero.
    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "-" }
        return "\(Int((Double(part) / Double(whole) * 100).rounded(.down)))%"
    }
}
