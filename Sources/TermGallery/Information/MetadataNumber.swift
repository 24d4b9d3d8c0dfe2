import Glibc

/// A number in metadata, which may be a fraction such as "14/5".
enum MetadataNumber {
    /// Returns the value of "14/5", "2.8" or "400", or nil if the text is not a finite number.
    static func value(_ text: String?) -> Double? {
        guard let text else { return nil }
        let parts = text.split(separator: "/", maxSplits: 1).map { Double(trimmed($0)) }
        guard let top = parts.first ?? nil else { return nil }
        guard parts.count == 2 else { return top.isFinite ? top : nil }
        guard let bottom = parts[1], bottom != 0 else { return nil }
        return (top / bottom).isFinite ? top / bottom : nil
    }

    /// Returns an angle in degrees from degrees, minutes and seconds such as "48/1 51/1 594/25".
    static func degrees(_ text: String?) -> Double? {
        let parts = (text ?? "").split(separator: " ").map { value(String($0)) }
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0 != nil }) else { return nil }
        return zip(parts, [1.0, 60, 3_600]).reduce(0) { $0 + ($1.0 ?? 0) / $1.1 }
    }

    /// Returns a number with `decimals` decimal places.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        formatted("%.*f", value, decimals)
    }

    /// Returns a number with up to `digits` significant digits and without trailing zeros.
    static func short(_ value: Double, digits: Int = 10) -> String {
        formatted("%.*g", value, digits)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        text.drop { $0 == " " }
    }

    private static func formatted(_ format: String, _ value: Double, _ precision: Int) -> String {
        var buffer = [CChar](repeating: 0, count: 400)
        _ = withVaList([Int32(precision), value]) {
            vsnprintf(&buffer, buffer.count, format, $0)
        }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }
}
