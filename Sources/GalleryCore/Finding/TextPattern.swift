/// A regular expression for captions and URLs.
///
/// It supports `.`, `[…]`, `|`, `(…)`, `*`, `+`, `?`, `{m,n}`, `^`, `$`, `\d`, `\w`, `\s` and their
/// negations `\D`, `\W` and `\S`. All alternatives are followed at the same time (Thompson's
/// method), so for every pattern, the matching time is proportional to the length of the text. Case
/// matters only if the pattern contains an uppercase letter outside of escapes.
struct TextPattern: Hashable, Sendable {
    /// The reason why a string is not a valid pattern.
    struct Problem: Error, Hashable {
        let text: String
    }

    /// A set of characters.
    struct CharacterSet: Hashable, Sendable {
        var ranges: [ClosedRange<UInt32>] = []
        var isNegated = false

        func contains(_ scalar: UInt32) -> Bool {
            ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    /// A step of the program into which the pattern is compiled.
    enum Step: Hashable, Sendable {
        case set(CharacterSet)
        /// Continues with two steps at the same time.
        case split(Int, Int)
        case jump(Int)
        case start, end
    }

    private let steps: [Step]
    private let isCaseSensitive: Bool

    /// The maximum number of steps, which limits the time per character of the text.
    static let mostSteps = 2_000

    /// Compiles a pattern.
    init(_ pattern: String) throws(Problem) {
        var parser = TextPatternParser(pattern)
        let node = try parser.parse()
        isCaseSensitive = parser.isCaseSensitive
        var steps: [Step] = []
        try Self.append(node, to: &steps)
        self.steps = steps
    }

    // MARK: Matching

    /// Returns whether any part of `text` matches.
    func isFound(in text: some StringProtocol) -> Bool {
        var current = Threads(count: steps.count)
        var next = Threads(count: steps.count)
        var isAtStart = true
        for scalar in text.unicodeScalars {
            if add(0, to: &current, isAtStart: isAtStart, isAtEnd: false) { return true }
            isAtStart = false
            let value = isCaseSensitive ? scalar.value : Self.lowercase(scalar)
            next.removeAll()
            for step in current.list {
                guard case .set(let set) = steps[step], set.contains(value) else { continue }
                if add(step + 1, to: &next, isAtStart: false, isAtEnd: false) { return true }
            }
            swap(&current, &next)
        }
        // The steps that wait for the end of the text are followed once more.
        next.removeAll()
        for step in current.list + [0]
        where add(step, to: &next, isAtStart: isAtStart, isAtEnd: true) {
            return true
        }
        return false
    }

    /// The steps that are followed at one position of the text, without duplicates.
    private struct Threads {
        private(set) var list: [Int] = []
        private var isListed: [Bool]
        /// The steps that `add` still has to follow.
        ///
        /// The array is reused, so `add` does not allocate memory for each character.
        var waiting: [Int] = []

        init(count: Int) { isListed = Array(repeating: false, count: count) }

        mutating func insert(_ step: Int) -> Bool {
            guard !isListed[step] else { return false }
            isListed[step] = true
            list.append(step)
            return true
        }

        mutating func removeAll() {
            for step in list { isListed[step] = false }
            list.removeAll(keepingCapacity: true)
        }
    }

    /// Follows a step as far as possible without reading a character.
    ///
    /// Returns true if the end of the pattern is reached.
    private func add(
        _ first: Int,
        to threads: inout Threads,
        isAtStart: Bool,
        isAtEnd: Bool
    ) -> Bool {
        threads.waiting.append(first)
        while let step = threads.waiting.popLast() {
            guard step < steps.count else { return true }
            guard threads.insert(step) else { continue }
            switch steps[step] {
            case .set: break
            case .split(let one, let other):
                threads.waiting.append(other)
                threads.waiting.append(one)
            case .jump(let target): threads.waiting.append(target)
            case .start: if isAtStart { threads.waiting.append(step + 1) }
            case .end: if isAtEnd { threads.waiting.append(step + 1) }
            }
        }
        return false
    }

    static func lowercase(_ scalar: Unicode.Scalar) -> UInt32 {
        guard scalar.value >= 0x80 else {
            return (0x41...0x5A).contains(scalar.value) ? scalar.value + 0x20 : scalar.value
        }
        let lowercase = scalar.properties.lowercaseMapping.unicodeScalars
        return lowercase.count == 1 ? lowercase.first?.value ?? scalar.value : scalar.value
    }

    // MARK: Compiling

    private static func append(
        _ node: TextPatternParser.Node,
        to steps: inout [Step]
    ) throws(Problem) {
        guard steps.count < mostSteps else { throw Problem(text: "this pattern is too long") }
        switch node {
        case .step(let step): steps.append(step)
        case .sequence(let nodes): for node in nodes { try append(node, to: &steps) }
        case .either(let one, let other):
            let split = steps.count
            steps.append(.split(0, 0))
            try append(one, to: &steps)
            let jump = steps.count
            steps.append(.jump(0))
            steps[split] = .split(split + 1, steps.count)
            try append(other, to: &steps)
            steps[jump] = .jump(steps.count)
        case .repeated(let node, let least, let most):
            for _ in 0..<least {
                let count = steps.count
                try append(node, to: &steps)
                // Repetitions of an empty node, such as `(){255}`, have no effect. Nested
                // repetitions would take forever, although the program would never become too long.
                if steps.count == count { break }
            }
            if let most {
                for _ in least..<max(least, most) { try appendOptional(node, to: &steps) }
            } else {
                let split = steps.count
                steps.append(.split(0, 0))
                try append(node, to: &steps)
                steps.append(.jump(split))
                steps[split] = .split(split + 1, steps.count)
            }
        }
    }

    private static func appendOptional(
        _ node: TextPatternParser.Node,
        to steps: inout [Step]
    ) throws(Problem) {
        let split = steps.count
        steps.append(.split(0, 0))
        try append(node, to: &steps)
        steps[split] = .split(split + 1, steps.count)
    }
}
