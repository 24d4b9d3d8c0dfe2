import Feeds

/// The conditions of a filter.
///
/// An item must satisfy all of them.
package struct FilterQuery: Hashable, Sendable {
    /// A condition of a filter.
    struct Term: Hashable, Sendable {
        let test: Test
        /// Whether the condition is negated.
        var isExcluded = false
    }

    enum Test: Hashable, Sendable {
        case text(TextNeedle)
        /// The name of a format, or one of its file suffixes.
        case format(String)
        case byteCount(Comparison, Int)
        case size(Comparison, width: Int, height: Int)
        case failed, loaded, marked, unread
        case label(UInt8)
        case host(TextNeedle)
    }

    enum Comparison: Hashable, Sendable {
        case atLeast, atMost, exactly

        func holds(_ value: Int, _ limit: Int) -> Bool {
            switch self {
            case .atLeast: value >= limit
            case .atMost: value <= limit
            case .exactly: value == limit
            }
        }
    }

    /// An invalid word in a query.
    struct Problem: Hashable, Sendable {
        /// The range of the word in the query, counted in characters.
        let span: Range<Int>
        /// The error message.
        let text: String
        /// Whether the word consists of an unknown field name and a colon.
        ///
        /// Before the user typed the colon, the word was a normal search text.
        var isUnknownField = false
    }

    let terms: [Term]

    /// Parses a filter, and returns the valid terms and the invalid words.
    ///
    /// An incomplete word appears in neither list.
    static func parse(_ line: String) -> (query: FilterQuery, problems: [Problem]) {
        var terms: [Term] = []
        var problems: [Problem] = []
        for word in words(of: line) {
            switch term(word.text, isQuoted: word.isQuoted) {
            case .term(let test): terms.append(Term(test: test, isExcluded: word.isExcluded))
            case .incomplete: break
            case .wrong(let text): problems.append(Problem(span: word.span, text: text))
            case .unknownField(let field):
                let text = "no such field: \(field):"
                problems.append(Problem(span: word.span, text: text, isUnknownField: true))
            }
        }
        return (FilterQuery(terms: terms), problems)
    }

    var isEmpty: Bool { terms.isEmpty }

    static let fields = ["format", "size", "state", "is", "mark", "label", "host"]

    // MARK: Words

    private struct Word {
        var text = ""
        var isExcluded = false
        var isQuoted = false
        var span: Range<Int>
    }

    /// Returns the words of a line, separated by spaces outside quotation marks.
    ///
    /// Quoted text may contain spaces and colons.
    private static func words(of line: String) -> [Word] {
        var words: [Word] = []
        let characters = Array(line)
        var index = 0
        while index < characters.count {
            guard !characters[index].isWhitespace else {
                index += 1
                continue
            }
            var word = Word(span: index..<index)
            if characters[index] == "-" {
                word.isExcluded = true
                index += 1
            }
            if index < characters.count, characters[index] == "\"" {
                word.isQuoted = true
                index += 1
            }
            while index < characters.count {
                let character = characters[index]
                if word.isQuoted ? character == "\"" : character.isWhitespace { break }
                word.text.append(character)
                index += 1
            }
            if word.isQuoted, index < characters.count { index += 1 }
            word.span = word.span.lowerBound..<index
            words.append(word)
        }
        return words
    }

    private enum Reading {
        case term(Test)
        /// The word is not complete yet.
        case incomplete
        case wrong(String)
        case unknownField(String)
    }

    private static func term(_ word: String, isQuoted: Bool) -> Reading {
        guard !isQuoted, let colon = word.firstIndex(of: ":") else { return text(word) }
        let field = word[..<colon].lowercased()
        let value = String(word[word.index(after: colon)...])
        // "http://…" and "12:30" are not fields.
        guard !value.hasPrefix("//"), !field.isEmpty,
            field.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return text(word) }
        guard fields.contains(field) else { return .unknownField(field) }
        if value.isEmpty, field != "mark" { return .incomplete }
        switch field {
        case "format": return .term(.format(value.lowercased()))
        case "size": return size(value)
        case "state", "is": return state(value.lowercased(), field)
        case "mark":
            return value.isEmpty || value == "yes" ? .term(.marked) : .wrong("mark: takes no value")
        case "label":
            guard let number = UInt8(value), (1...9).contains(number) else {
                return .wrong("label: takes 1 to 9")
            }
            return .term(.label(number))
        default: return TextNeedle(value).map { .term(.host($0)) } ?? .incomplete
        }
    }

    private static func text(_ word: String) -> Reading {
        TextNeedle(word).map { .term(.text($0)) } ?? .incomplete
    }

    private static func state(_ value: String, _ field: String) -> Reading {
        let states: [(String, Test)] = [
            ("failed", .failed), ("loaded", .loaded), ("marked", .marked), ("new", .unread),
            ("unread", .unread),
        ]
        if let state = states.first(where: { $0.0 == value }) { return .term(state.1) }
        let isBegun = states.contains { $0.0.hasPrefix(value) }
        return isBegun ? .incomplete : .wrong("\(field): takes failed, loaded, marked or new")
    }

    /// Parses a condition on the size, such as `>1M`, `<300k`, `640x480` or `>1920x1080`.
    private static func size(_ value: String) -> Reading {
        let sign = value.first.flatMap { "<>".contains($0) ? $0 : nil }
        let rest = (sign == nil ? value : String(value.dropFirst())).lowercased()
        guard !rest.isEmpty else { return .incomplete }
        let sides = rest.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }
        if sides.count == 2, let width = number(sides[0]) {
            guard !sides[1].isEmpty else { return .incomplete }
            guard let height = number(sides[1]) else {
                return .wrong("size: takes a size such as 640x480")
            }
            return .term(.size(comparison(sign) ?? .exactly, width: width, height: height))
        }
        let units: [Character: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
        let text = rest.last == "b" ? rest.dropLast() : rest[...]
        let unit = text.last.flatMap { units[$0] }
        guard let count = Double(unit == nil ? text : text.dropLast()), count >= 0,
            count * (unit ?? 1) < 1e15
        else { return .wrong("size: takes >1M, <300k or 640x480") }
        return .term(.byteCount(comparison(sign) ?? .atLeast, Int(count * (unit ?? 1))))
    }

    private static func comparison(_ sign: Character?) -> Comparison? {
        sign.map { $0 == "<" ? .atMost : .atLeast }
    }

    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text.prefix(9)) : nil
    }
}
