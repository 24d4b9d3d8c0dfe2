/// The texts that ExifTool prints for the values of tags, so that scripts written for it also read
/// the output of `info --json`.
enum ExifToolText {
    static func exposureTime(_ seconds: Double) -> String {
        if seconds > 0, seconds < 0.25001 { return "1/\(Int(min(0.5 + 1 / seconds, 1e15)))" }
        let text = MetadataNumber.fixed(seconds, 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func aperture(_ value: Double) -> String {
        MetadataNumber.fixed(value, value < 1 ? 2 : 1)
    }

    /// Returns an exposure compensation as a fraction of halves or thirds if it is one.
    static func stops(_ value: Double) -> String {
        let value = value * 1.00001
        if value == 0 { return "0" }
        for divisor in [1.0, 2, 3] {
            let count = (value * divisor).rounded(.towardZero)
            guard count / (value * divisor) > 0.999 else { continue }
            let sign = count > 0 ? "+" : "-"
            let fraction = divisor == 1 ? "" : "/\(Int(divisor))"
            return "\(sign)\(MetadataNumber.fixed(abs(count), 0))\(fraction)"
        }
        return (value > 0 ? "+" : "") + MetadataNumber.short(value, digits: 3)
    }

    private static let orientations = [
        "Horizontal (normal)", "Mirror horizontal", "Rotate 180", "Mirror vertical",
        "Mirror horizontal and rotate 270 CW", "Rotate 90 CW",
        "Mirror horizontal and rotate 90 CW", "Rotate 270 CW",
    ]

    /// Returns the name of an EXIF orientation from 1 to 8.
    static func orientation(_ number: Int) -> String { orientations[number - 1] }

    static func colorSpace(_ number: Int) -> String {
        switch number {
        case 1: "sRGB"
        case 2: "Adobe RGB"
        case 0xFFFD: "Wide Gamut RGB"
        case 0xFFFE: "ICC Profile"
        case 0xFFFF: "Uncalibrated"
        default: "Unknown (\(number))"
        }
    }

    /// Returns an angle in degrees, minutes and seconds; `directions` are those of positive and
    /// negative angles.
    static func angle(_ degrees: Double, _ directions: (String, String)) -> String {
        // ExifTool rounds the seconds to hundredths and carries them over.
        let hundredths = Int((abs(degrees) * 360_000).rounded())
        let (minutes, rest) = (hundredths / 6_000).quotientAndRemainder(dividingBy: 60)
        let seconds = MetadataNumber.fixed(Double(hundredths % 6_000) / 100, 2)
        return "\(minutes) deg \(rest)' \(seconds)\" \(degrees < 0 ? directions.1 : directions.0)"
    }

    static func altitude(_ meters: Double) -> String {
        let tenths = (abs(meters) * 10).rounded(.towardZero) / 10
        let direction = meters < 0 ? "Below" : "Above"
        return "\(MetadataNumber.short(tenths)) m \(direction) Sea Level"
    }

    /// Returns the name of the tag for a keyword of a PNG: "Creation Time" is "CreationTime".
    ///
    /// The name is empty for dates that repeat those of EXIF.
    static func tagName(ofKeyword keyword: String) -> String {
        guard keyword != "create-date", keyword != "modify-date" else { return "" }
        let words = keyword.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return String(
            words.joined().unicodeScalars.filter { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic
                        || "0123456789_-".unicodeScalars.contains(scalar))
            }
        )
    }
}

extension String {
    fileprivate init(_ scalars: [Unicode.Scalar]) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
