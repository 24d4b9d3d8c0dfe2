/// Methods that read the values of a TOML document.
extension TOMLReader {
    mutating func readValue(depth: Int) throws(TextFault) -> TOMLValue {
        guard depth <= Self.maximumDepth else { throw fault("values are nested too deeply") }
        skipBlanks()
        let start = position
        let content: TOMLValue.Content
        switch next {
        case "\"", "'": content = .string(try readString())
        case "[": content = .array(try readArray(depth: depth))
        case "{": content = .table(try readInlineTable(depth: depth))
        default: content = try readWord()
        }
        return TOMLValue(content: content, position: start)
    }

    // MARK: Arrays and tables

    private mutating func readArray(depth: Int) throws(TextFault) -> [TOMLValue] {
        advance()
        var values: [TOMLValue] = []
        while true {
            try skipLines()
            if take("]") { return values }
            values.append(try readValue(depth: depth + 1))
            try skipLines()
            if take("]") { return values }
            guard take(",") else { throw fault("expected “,” or “]”, found \(found)") }
        }
    }

    /// Reads an inline table.
    ///
    /// An inline table must be on one line and must not end with a comma.
    private mutating func readInlineTable(depth: Int) throws(TextFault) -> TOMLTable {
        advance()
        var table = TOMLTable()
        skipBlanks()
        if !take("}") {
            while true {
                let keys = try readKeys()
                try takeEquals()
                try table.insert(try readValue(depth: depth + keys.count), keys[...])
                skipBlanks()
                if take("}") { break }
                guard take(",") else { throw fault("expected “,” or “}”, found \(found)") }
            }
        }
        table.origin = .inline
        return table
    }

    // MARK: Strings

    mutating func readString() throws(TextFault) -> String {
        guard let quote = next else { return "" }
        advance()
        if next == quote, index + 1 < scalars.count, scalars[index + 1] == quote {
            throw fault("multi-line strings are not supported here")
        }
        var text = String.UnicodeScalarView()
        while let scalar = next, scalar != "\n" {
            if scalar == quote {
                advance()
                return String(text)
            }
            guard !Self.isControl(scalar) else {
                throw fault("a string must not contain control characters; write them as \\u0007")
            }
            if scalar == "\\", quote == "\"" {
                text.append(try readEscape())
            } else {
                text.append(scalar)
                advance()
            }
        }
        throw fault("expected \(quote == "\"" ? "\"" : "'") at the end of the string")
    }

    private mutating func readEscape() throws(TextFault) -> Unicode.Scalar {
        let start = position
        advance()
        let letter = next
        advance()
        switch letter {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "\"": return "\""
        case "\\": return "\\"
        case "u": return try readCode(digits: 4, from: start)
        case "U": return try readCode(digits: 8, from: start)
        default:
            throw TextFault(
                position: start,
                text: "no such escape in a string; a backslash is \\\\, or use '…'"
            )
        }
    }

    private mutating func readCode(
        digits: Int,
        from start: TextPosition
    ) throws(TextFault) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = next.flatMap({ Character($0).hexDigitValue }), next?.isASCII == true
            else { throw fault("expected \(digits) hexadecimal digits") }
            value = value << 4 | UInt32(digit)
            advance()
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw TextFault(position: start, text: "no such character")
        }
        return scalar
    }

    // MARK: Numbers and booleans

    private mutating func readWord() throws(TextFault) -> TOMLValue.Content {
        let start = position
        var word = ""
        while let scalar = next,
            Self.isBare(scalar) || scalar == "." || scalar == "+" || scalar == ":"
        {
            word.unicodeScalars.append(scalar)
            advance()
        }
        if word.isEmpty { throw fault("expected a value, found \(found)") }
        if let content = Self.content(of: word) { return content }
        let isDate = word.contains(":") || word.count(where: { $0 == "-" }) > 1
        let isNumber = word.first.map { $0.isNumber || $0 == "+" || $0 == "-" } ?? false
        throw TextFault(
            position: start,
            text: isNumber
                ? (isDate ? "dates are not supported here" : "invalid number: \(word)")
                : "“\(word)” is not a value; put strings in quotes: \"\(word)\""
        )
    }

    private static func content(of word: String) -> TOMLValue.Content? {
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        if let whole = integer(word) { return .integer(whole) }
        return number(word).map { .number($0) }
    }

    /// Returns the integer written in `word`, or nil if the word is not a valid integer.
    ///
    /// Underscores must be between digits. Only the number 0 may begin with the digit 0.
    private static func integer(_ word: String) -> Int? {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
            return digits(String(word.dropFirst(2)), radix: radix)
                .flatMap { $0.hasPrefix("-") || $0.hasPrefix("+") ? nil : Int($0, radix: radix) }
        }
        let unsigned = word.first == "-" || word.first == "+" ? String(word.dropFirst()) : word
        guard let digits = digits(unsigned, radix: 10), hasNoLeadingZero(digits) else { return nil }
        return Int(word.first == "-" ? "-" + digits : digits)
    }

    private static func digits(_ word: String, radix: Int) -> String? {
        let parts = word.split(separator: "_", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { $0.isASCII && ($0.hexDigitValue ?? 99) < radix }
        }
        return areDigits ? parts.joined() : nil
    }

    private static func hasNoLeadingZero(_ digits: String) -> Bool {
        digits.count == 1 || digits.first != "0"
    }

    private static func number(_ word: String) -> Double? {
        let unsigned = word.first == "-" || word.first == "+" ? String(word.dropFirst()) : word
        let powers = unsigned.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let mantissa = powers.first, powers.count <= 2 else { return nil }
        let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count + powers.count > 2,
            let whole = digits(String(parts[0]), radix: 10), hasNoLeadingZero(whole),
            parts.dropFirst().allSatisfy({ digits(String($0), radix: 10) != nil })
        else { return nil }
        if powers.count == 2 {
            let power = powers[1]
            let bare = power.first == "-" || power.first == "+" ? power.dropFirst() : power
            guard digits(String(bare), radix: 10) != nil else { return nil }
        }
        let value = Double(word.filter { $0 != "_" })
        return value.flatMap { $0.isFinite ? $0 : nil }
    }
}
