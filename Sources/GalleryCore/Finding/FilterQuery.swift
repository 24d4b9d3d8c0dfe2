import Feeds

/// The conditions of a filter, all of which an item must satisfy.
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
        /// A regular expression for captions and URLs.
        case pattern(TextPattern)
        case byteCount(Comparison, Int)
        case size(Comparison, width: Int, height: Int)
        case width(Comparison, Int)
        case height(Comparison, Int)
        /// The width divided by the height.
        case ratio(ClosedRange<Double>)
        case date(Comparison, CalendarDate)
        case failed, loaded, marked, unread
        case label(UInt8)
        case host(TextNeedle)
        /// A field of a record or of a photo, by its name in lowercase.
        case field(String, FieldTest)
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
        /// Before the user typed the colon, the word was ordinary search text.
        var isUnknownField = false
    }

    let terms: [Term]

    /// Parses a filter, and returns the valid terms and the invalid words.
    ///
    /// An incomplete word appears in neither list. `others` are the fields of the feed.
    static func parse(
        _ line: String,
        _ others: FilterFields
    ) -> (query: FilterQuery, problems: [Problem]) {
        var terms: [Term] = []
        var problems: [Problem] = []
        for word in words(of: line) {
            let reading =
                word.isPattern
                ? pattern(word.text, isOpen: word.isOpen)
                : term(word.text, isQuoted: word.isQuoted, others)
            switch reading {
            case .term(let test): terms.append(Term(test: test, isExcluded: word.isExcluded))
            case .incomplete: break
            case .wrong(let text): problems.append(Problem(span: word.span, text: text))
            case .unknownField(let field):
                let hint = Spelling.hint(for: field, among: fields + others.names)
                let text = "no such field: \(field):\(hint)"
                problems.append(Problem(span: word.span, text: text, isUnknownField: true))
            }
        }
        return (FilterQuery(terms: terms), problems)
    }

    var isEmpty: Bool { terms.isEmpty }

    static let fields = [
        "format", "size", "width", "height", "ratio", "date", "state", "is", "mark", "label",
        "host",
    ]

    // MARK: Words

    private struct Word {
        var text = ""
        var isExcluded = false
        var isQuoted = false
        /// Whether the text is a regular expression between slashes.
        var isPattern = false
        /// Whether the closing slash of a regular expression is missing.
        var isOpen = false
        var span: Range<Int>
    }

    /// Returns the words of a line, separated by spaces outside quotation marks.
    ///
    /// Quoted text and regular expressions between slashes may contain spaces and colons.
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
            if index < characters.count, let end = patternEnd(characters[index...]) {
                word.isPattern = true
                word.isOpen = end == characters.count
                word.text = String(characters[(index + 1)..<end])
                index = min(end + 1, characters.count)
                word.span = word.span.lowerBound..<index
                words.append(word)
                continue
            }
            if index < characters.count, characters[index] == "\"" {
                word.isQuoted = true
                index += 1
            }
            while index < characters.count {
                let character = characters[index]
                if word.isQuoted ? character == "\"" : character.isWhitespace { break }
                index += 1
                // A value between quotation marks may contain spaces: camera:"X100V".
                if character == "\"", word.text.last == ":" {
                    let end = characters[index...].firstIndex(of: "\"") ?? characters.count
                    word.text += characters[index..<end]
                    index = min(end + 1, characters.count)
                } else {
                    word.text.append(character)
                }
            }
            if word.isQuoted, index < characters.count { index += 1 }
            word.span = word.span.lowerBound..<index
            words.append(word)
        }
        return words
    }

    /// Returns the index of the slash that ends a regular expression, or the end of the text if the
    /// expression is incomplete.
    ///
    /// Returns nil if the text does not start with a regular expression. For example, `/usr/lib` is
    /// a path because a character follows the second slash.
    private static func patternEnd(_ characters: ArraySlice<Character>) -> Int? {
        guard characters.first == "/" else { return nil }
        var isEscaped = false
        for index in characters.indices.dropFirst() {
            let character = characters[index]
            if character == "/", !isEscaped {
                let next = index + 1
                return next == characters.endIndex || characters[next].isWhitespace ? index : nil
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return characters.endIndex
    }

    /// The result of parsing a word.
    enum Reading {
        case term(Test)
        /// The word is not complete yet.
        case incomplete
        case wrong(String)
        case unknownField(String)
    }

    private static func term(
        _ word: String,
        isQuoted: Bool,
        _ others: FilterFields
    ) -> Reading {
        guard !isQuoted, let colon = word.firstIndex(of: ":") else { return text(word) }
        let field = word[..<colon].lowercased()
        let value = String(word[word.index(after: colon)...])
        if !fields.contains(field), others.names.contains(field) {
            return FieldTest(value).map { .term(.field(field, $0)) } ?? .incomplete
        }
        // "http://…" and "12:30" are not fields.
        guard !value.hasPrefix("//"), !field.isEmpty,
            field.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return text(word) }
        guard fields.contains(field) else { return .unknownField(field) }
        if value.isEmpty, field != "mark" { return .incomplete }
        switch field {
        case "format": return .term(.format(value.lowercased()))
        case "size": return size(value)
        case "width", "height": return side(value, field)
        case "ratio": return ratio(value.lowercased())
        case "date": return date(value)
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
}
