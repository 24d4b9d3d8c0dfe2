internal import Feeds

/// Parsers for the values of filter fields.
extension FilterQuery {
    static func text(_ word: String) -> Reading {
        TextNeedle(word).map { .term(.text($0)) } ?? .incomplete
    }

    /// The states that a filter can test, with their names.
    static let states: [(String, Test)] = [
        ("failed", .failed), ("loaded", .loaded), ("marked", .marked), ("new", .unread),
        ("unread", .unread),
    ]

    static func state(_ value: String, _ field: String) -> Reading {
        if let state = states.first(where: { $0.0 == value }) { return .term(state.1) }
        let isBegun = states.contains { $0.0.hasPrefix(value) }
        return isBegun ? .incomplete : .wrong("\(field): takes failed, loaded, marked or new")
    }

    /// Parses a condition on the size, such as `>1M`, `<300k`, `640x480` or `>1920x1080`.
    static func size(_ value: String) -> Reading {
        let (comparison, bare) = compared(value)
        let rest = bare.lowercased()
        guard !rest.isEmpty else { return .incomplete }
        let sides = rest.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }
        if sides.count == 2, let width = number(sides[0]) {
            guard !sides[1].isEmpty else { return .incomplete }
            guard let height = number(sides[1]) else {
                return .wrong("size: takes a size such as 640x480")
            }
            return .term(.size(comparison ?? .exactly, width: width, height: height))
        }
        let units: [Character: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
        let text = rest.last == "b" ? rest.dropLast() : rest[...]
        let unit = text.last.flatMap { units[$0] }
        guard let count = Double(unit == nil ? text : text.dropLast()), count >= 0,
            count * (unit ?? 1) < 1e15
        else { return .wrong("size: takes >1M, <300k or 640x480") }
        return .term(.byteCount(comparison ?? .atLeast, Int(count * (unit ?? 1))))
    }

    /// Parses a condition on the width or the height, such as `>1920`.
    static func side(_ value: String, _ field: String) -> Reading {
        let (sign, digits) = compared(value)
        guard !digits.isEmpty else { return .incomplete }
        guard let count = number(digits) else {
            return .wrong("\(field): takes pixels such as >1920")
        }
        let comparison = sign ?? .exactly
        return .term(field == "width" ? .width(comparison, count) : .height(comparison, count))
    }

    /// The named ratios.
    ///
    /// An image counts as square if its sides differ by at most 5 %.
    static let ratios: [(name: String, range: ClosedRange<Double>)] = [
        ("landscape", 1.05...Double.infinity), ("portrait", 0...(1 / 1.05)),
        ("square", (1 / 1.05)...1.05),
    ]

    /// Parses a condition on the ratio of width to height, such as `16:9`, `>1.5` or `square`.
    static func ratio(_ value: String) -> Reading {
        if let known = ratios.first(where: { $0.name == value }) {
            return .term(.ratio(known.range))
        }
        if ratios.contains(where: { $0.name.hasPrefix(value) }) { return .incomplete }
        let (comparison, rest) = compared(value)
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard !rest.isEmpty, parts.last?.isEmpty == false else { return .incomplete }
        let numbers = parts.compactMap { Double($0) }.filter { $0 > 0 && $0 < 1e6 }
        guard numbers.count == parts.count, numbers.count <= 2 else {
            return .wrong("ratio: takes 16:9, >1.5, square, portrait or landscape")
        }
        let ratio = numbers.count == 2 ? numbers[0] / numbers[1] : numbers[0]
        switch comparison {
        case .atLeast?: return .term(.ratio(ratio...Double.infinity))
        case .atMost?: return .term(.ratio(0...ratio))
        // Widths and heights are whole pixels, so the ratio is rarely exact.
        case .exactly?, nil: return .term(.ratio((ratio * 0.98)...(ratio * 1.02)))
        }
    }

    /// Parses a condition on the date, such as `2024`, `>2024-05` or `2024-05-17`.
    static func date(_ value: String) -> Reading {
        let (comparison, rest) = compared(value)
        let parts = rest.split(separator: "-", omittingEmptySubsequences: false)
        let isBegun = parts.count <= 3 && parts.allSatisfy { $0.isEmpty || number($0) != nil }
        if let date = CalendarDate(parts.map(String.init)) {
            return .term(.date(comparison ?? .exactly, date))
        }
        let isShort = isBegun && (rest.count < 4 || parts.last.map { $0.count < 2 } == true)
        return isShort ? .incomplete : .wrong("date: takes 2024, >2024-05 or 2024-05-17")
    }

    /// Parses a regular expression, which is incomplete without its closing slash.
    static func pattern(_ text: String, isOpen: Bool) -> Reading {
        guard !isOpen, !text.isEmpty else { return .incomplete }
        do throws(TextPattern.Problem) {
            return .term(.pattern(try TextPattern(text)))
        } catch {
            return .wrong(error.text)
        }
    }

    /// Splits a value such as "<100" into a comparison and the remaining text.
    ///
    /// The comparison is nil if the value doesn't start with a comparison sign.
    private static func compared(_ value: String) -> (Comparison?, Substring) {
        switch value.first {
        case "<": return (.atMost, value.dropFirst())
        case ">": return (.atLeast, value.dropFirst())
        default: return (nil, value[...])
        }
    }

    static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text.prefix(9)) : nil
    }

    // MARK: Completion

    /// Returns the possible completions of a filter's last word, each as the complete filter text.
    ///
    /// A completed field name ends with a colon. The values of some fields are completed, too.
    static func completions(of text: String, _ others: FilterFields) -> [String] {
        let start = text.lastIndex(of: " ").map { text.index(after: $0) } ?? text.startIndex
        let (earlier, last) = (text[..<start], text[start...])
        let sign = last.hasPrefix("-") ? "-" : ""
        let word = last.dropFirst(sign.count).lowercased()
        let words: [String]
        if let colon = word.firstIndex(of: ":") {
            let field = String(word[..<colon])
            words = (values[field] ?? []).map { "\(field):\($0)" }
        } else {
            let names = Set(fields + others.names.filter { !$0.contains(" ") })
            words = names.sorted().map { "\($0):" }
        }
        return words.filter { $0.hasPrefix(word) && $0 != word }.map { "\(earlier)\(sign)\($0)" }
    }

    /// The values that Tab completes after a field name.
    private static let values: [String: [String]] = [
        "state": states.map(\.0), "is": states.map(\.0), "ratio": ratios.map(\.name),
        "format": ["avif", "gif", "heic", "jpeg", "png", "svg", "tiff", "webp"],
    ]
}
