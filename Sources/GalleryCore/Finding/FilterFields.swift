internal import Feeds

/// The names of the fields of a feed's records and of photos, which a filter can test.
package struct FilterFields: Hashable, Sendable {
    /// The names of the fields that cameras write into files.
    static let camera = ["camera", "lens", "iso", "aperture", "focal"]

    /// The maximum number of records that are searched for names.
    ///
    /// A list usually has the same columns in every line.
    private static let maximumRecordCount = 64
    /// The maximum number of fields that are searched, because names are found again for each key
    /// that the user presses.
    private static let maximumFieldCount = 1_024

    /// The names in lowercase.
    let names: [String]

    init(names: [String]) { self.names = names }

    init(of feed: Feed?) {
        let items = 0..<min(feed?.count ?? 0, Self.maximumRecordCount)
        let fields = items.lazy.flatMap { feed?[$0].details?.fields ?? [] }
        var names: [String] = []
        var known: Set<String> = []
        for name in fields.prefix(Self.maximumFieldCount).map({ $0.name.lowercased() })
            + Self.camera
        where known.insert(name).inserted {
            names.append(name)
        }
        self.init(names: names)
    }
}

/// A condition on the value of a field, which is a number or a text.
enum FieldTest: Hashable, Sendable {
    /// The value is a number between the bounds, which are included unless `isStrict` is true.
    case number(ClosedRange<Double>, isStrict: Bool)
    /// The value is this number, or contains its digits as text.
    case exactly(Double, TextNeedle)
    /// The value contains the text.
    case text(TextNeedle)

    func holds(_ value: String) -> Bool {
        switch self {
        case .number(let range, let isStrict):
            guard let number = Double(value), range.contains(number) else { return false }
            return !isStrict || (number != range.lowerBound && number != range.upperBound)
        case .exactly(let number, let needle):
            return Double(value).map { $0 == number } ?? Self.isFound(needle, value)
        case .text(let needle): return Self.isFound(needle, value)
        }
    }

    private static func isFound(_ needle: TextNeedle, _ value: String) -> Bool {
        var value = value
        return value.withUTF8(needle.isFound)
    }

    /// Parses `>0.9`, `>=0.9`, `<5`, `1..5`, `..5`, `5` or a text; returns nil if the value is
    /// incomplete.
    ///
    /// Texts such as `>abc` and `a..b` are searched for as they are.
    init?(_ value: String) {
        guard let needle = TextNeedle(value) else { return nil }
        if [">", "<", ">=", "<=", ".."].contains(value) { return nil }
        if let number = Double(value) {
            self = .exactly(number, needle)
        } else if let range = Self.range(value) {
            self = .number(range.bounds, isStrict: range.isStrict)
        } else {
            self = .text(needle)
        }
    }

    private static func range(
        _ value: String
    ) -> (bounds: ClosedRange<Double>, isStrict: Bool)? {
        let infinity = Double.infinity
        if let dots = value.firstRange(of: "..") {
            let ends = [value[..<dots.lowerBound], value[dots.upperBound...]]
            let numbers = ends.map { Double($0) }
            guard zip(ends, numbers).allSatisfy({ $0.isEmpty || $1 != nil }) else { return nil }
            let (first, last) = (numbers[0] ?? -infinity, numbers[1] ?? infinity)
            return first <= last ? (first...last, false) : nil
        }
        guard let sign = value.first, "<>".contains(sign) else { return nil }
        let isStrict = !value.dropFirst().hasPrefix("=")
        guard let number = Double(value.dropFirst(isStrict ? 1 : 2)), !number.isNaN else {
            return nil
        }
        return (sign == ">" ? number...infinity : -infinity...number, isStrict)
    }
}
