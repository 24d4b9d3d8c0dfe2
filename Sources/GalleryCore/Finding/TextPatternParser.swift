/// Parses the regular expressions of `TextPattern`.
struct TextPatternParser {
    indirect enum Node {
        case step(TextPattern.Step)
        case sequence([Node])
        case either(Node, Node)
        /// A node with its minimum and maximum number of repetitions; nil means no limit.
        case repeated(Node, Int, Int?)
    }

    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0
    let isCaseSensitive: Bool

    /// The maximum nesting depth of parentheses.
    private static let mostDepth = 50
    /// The maximum repetition count in braces.
    private static let mostRepetitions = 255

    init(_ pattern: String) {
        let scalars = Array(pattern.unicodeScalars)
        rest = scalars[...]
        var isEscaped = false
        var hasUppercase = false
        for scalar in scalars {
            if !isEscaped, scalar.properties.isUppercase { hasUppercase = true }
            isEscaped = scalar == "\\" && !isEscaped
        }
        isCaseSensitive = hasUppercase
    }

    mutating func parse() throws(TextPattern.Problem) -> Node {
        let node = try alternatives()
        guard rest.isEmpty else { throw Self.problem("a parenthesis without its partner") }
        return node
    }

    private static func problem(_ text: String) -> TextPattern.Problem {
        TextPattern.Problem(text: "\(text) in the pattern")
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func alternatives() throws(TextPattern.Problem) -> Node {
        var node = try sequence()
        while take("|") { node = .either(node, try sequence()) }
        return node
    }

    private mutating func sequence() throws(TextPattern.Problem) -> Node {
        var nodes: [Node] = []
        while let next = rest.first, next != "|", next != ")" {
            nodes.append(try repetition(of: atom()))
        }
        return .sequence(nodes)
    }

    private mutating func repetition(of node: Node) throws(TextPattern.Problem) -> Node {
        var node = node
        var count = 0
        while let next = rest.first, "*+?{".unicodeScalars.contains(next) {
            // A brace without numbers is a normal character.
            guard next != "{" || rest.dropFirst().first.map(Self.isDigit) == true else { break }
            count += 1
            guard count < 4 else { throw Self.problem("too many repetitions") }
            rest.removeFirst()
            switch next {
            case "*": node = .repeated(node, 0, nil)
            case "+": node = .repeated(node, 1, nil)
            case "?": node = .repeated(node, 0, 1)
            default: node = try counted(node)
            }
        }
        return node
    }

    /// Parses `m}`, `m,}` or `m,n}`.
    private mutating func counted(_ node: Node) throws(TextPattern.Problem) -> Node {
        let least = number() ?? 0
        var most: Int? = least
        if take(",") { most = number() }
        guard take("}"), least <= Self.mostRepetitions, (most ?? least) <= Self.mostRepetitions,
            (most ?? least) >= least
        else { throw Self.problem("an invalid number of repetitions") }
        return .repeated(node, least, most)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private mutating func number() -> Int? {
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest[digits.endIndex...]
        return Int(String(String.UnicodeScalarView(digits.prefix(9))))
    }

    private mutating func atom() throws(TextPattern.Problem) -> Node {
        let scalar = rest.removeFirst()
        switch scalar {
        case "(": return try group()
        case "[": return .step(.set(try bracket()))
        case ".": return .step(.set(TextPattern.CharacterSet(isNegated: true)))
        case "^": return .step(.start)
        case "$": return .step(.end)
        case "*", "+", "?": throw Self.problem("nothing to repeat")
        case "\\":
            guard let escaped = rest.popFirst() else { throw Self.problem("an open escape") }
            return .step(.set(Self.escape(escaped) ?? plain(escaped)))
        default: return .step(.set(plain(scalar)))
        }
    }

    private mutating func group() throws(TextPattern.Problem) -> Node {
        depth += 1
        guard depth <= Self.mostDepth else { throw Self.problem("too many parentheses") }
        if rest.starts(with: "?:".unicodeScalars) { rest.removeFirst(2) }
        let node = try alternatives()
        guard take(")") else { throw Self.problem("an open parenthesis") }
        depth -= 1
        return node
    }

    private func plain(_ scalar: Unicode.Scalar) -> TextPattern.CharacterSet {
        let value = isCaseSensitive ? scalar.value : TextPattern.lowercase(scalar)
        return TextPattern.CharacterSet(ranges: [value...value])
    }

    private static func escape(_ scalar: Unicode.Scalar) -> TextPattern.CharacterSet? {
        let digits: [ClosedRange<UInt32>] = [0x30...0x39]
        let letters: [ClosedRange<UInt32>] = [0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        // Characters beyond ASCII count as letters.
        let words = digits + letters + [0xC0...0x10_FFFF]
        let spaces: [ClosedRange<UInt32>] = [0x09...0x0D, 0x20...0x20, 0xA0...0xA0]
        return switch scalar {
        case "d": TextPattern.CharacterSet(ranges: digits)
        case "D": TextPattern.CharacterSet(ranges: digits, isNegated: true)
        case "w": TextPattern.CharacterSet(ranges: words)
        case "W": TextPattern.CharacterSet(ranges: words, isNegated: true)
        case "s": TextPattern.CharacterSet(ranges: spaces)
        case "S": TextPattern.CharacterSet(ranges: spaces, isNegated: true)
        default: nil
        }
    }

    /// Parses a set of characters after its opening bracket.
    private mutating func bracket() throws(TextPattern.Problem) -> TextPattern.CharacterSet {
        var set = TextPattern.CharacterSet()
        set.isNegated = take("^")
        var isFirst = true
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst { return set }
            isFirst = false
            if scalar == "\\", let escaped = rest.popFirst() {
                guard let known = Self.escape(escaped) else {
                    set.ranges += plain(escaped).ranges
                    continue
                }
                guard !known.isNegated else { throw Self.problem("a negated class in brackets") }
                set.ranges += known.ranges
            } else if rest.first == "-", let last = rest.dropFirst().first, last != "]" {
                rest.removeFirst(2)
                let (low, high) = (plain(scalar).ranges[0], plain(last).ranges[0])
                guard low.lowerBound <= high.lowerBound else {
                    throw Self.problem("a range in the wrong order")
                }
                set.ranges.append(low.lowerBound...high.lowerBound)
            } else {
                set.ranges += plain(scalar).ranges
            }
        }
        throw Self.problem("an open bracket")
    }
}
