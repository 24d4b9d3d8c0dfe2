/// A server's rules for crawlers, from its `/robots.txt` (RFC 9309).
package struct RobotsRules: Equatable, Sendable {
    private struct Rule: Equatable {
        let isAllowed: Bool
        /// The percent-encoded pattern; `*` matches any characters, and a final `$` matches the end
        /// of the path.
        let pattern: [UInt8]
    }

    private var rules: [Rule] = []
    /// The delay between two page requests, in seconds, or nil if the server specifies no delay.
    package private(set) var delay: Double?

    /// The maximum number of bytes to read (RFC 9309, 2.5).
    package static let mostBytes = 500 << 10

    /// The approximate number of bytes that the rules use in memory.
    package private(set) var byteCount = 0
    /// The maximum number of comparison steps per page.
    ///
    /// The rules are untrusted, so a page that needs more steps is not allowed.
    private static let mostSteps = 1_000_000

    /// Creates rules that allow everything, for a server without the file.
    package init() {}

    /// Creates the rules for a program from the bytes of a `/robots.txt`.
    ///
    /// Uses the groups of rules that name the program, or the groups for `*` if no group names it.
    package init(_ bytes: [UInt8], program: String) {
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let part = bytes.prefix(Self.mostBytes).dropFirst(isMarked ? 3 : 0)
        let text = String(decoding: part, as: UTF8.self)
        let program = program.lowercased()
        var own = RobotsRules()
        var common = RobotsRules()
        var isNamed = false
        var (isOwn, isCommon, isInHead) = (false, false, false)
        for line in text.split(whereSeparator: \.isNewline) {
            guard let (name, value) = Self.field(line) else { continue }
            if name == "user-agent" {
                if !isInHead { (isOwn, isCommon, isInHead) = (false, false, true) }
                // A name followed by a version refers to the same program.
                let agent = value.prefix { $0.isLetter || $0 == "-" || $0 == "_" }.lowercased()
                isOwn = isOwn || agent == program
                isCommon = isCommon || value.hasPrefix("*")
                isNamed = isNamed || isOwn
                continue
            }
            isInHead = isInHead && !["allow", "disallow", "crawl-delay"].contains(name)
            if isOwn { own.take(name, value) }
            if isCommon { common.take(name, value) }
        }
        self = isNamed ? own : common
    }

    private static func field(_ line: Substring) -> (name: String, value: String)? {
        let line = line.prefix { $0 != "#" }
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = String(line[..<colon]).trimmed.lowercased()
        return (name, String(line[line.index(after: colon)...]).trimmed)
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name {
        case "allow", "disallow":
            guard !value.isEmpty else { break }
            let rule = Rule(isAllowed: name == "allow", pattern: Self.coded(value))
            rules.append(rule)
            byteCount += rule.pattern.count + 64
        case "crawl-delay":
            if let seconds = Double(value), seconds.isFinite, seconds >= 0 { delay = seconds }
        default: break
        }
    }

    /// Returns whether a page with this path and query may be visited.
    ///
    /// The longest matching rule applies. If two rules have the same length, a rule that allows the
    /// page takes precedence. If no rule matches, the page may be visited.
    package func allows(_ path: String) -> Bool {
        let path = Self.coded(path.isEmpty ? "/" : path)
        if path == Array("/robots.txt".utf8) { return true }
        var best: Rule?
        var steps = 0
        for rule in rules where Self.fits(rule.pattern, path: path, steps: &steps) {
            let length = best?.pattern.count ?? -1
            if rule.pattern.count > length || (rule.pattern.count == length && rule.isAllowed) {
                best = rule
            }
        }
        return steps <= Self.mostSteps && best?.isAllowed ?? true
    }

    /// Normalizes the percent-encoding of a path or pattern (RFC 9309, 2.2.2).
    ///
    /// Characters that are encoded in a normalized URL are encoded, and characters that need no
    /// encoding are decoded.
    private static func coded(_ text: String) -> [UInt8] {
        let hex = Array("0123456789ABCDEF".utf8)
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            var isCoded = byte >= 0x80 || byte <= 0x20 || "\"'<>^`{}".utf8.contains(byte)
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
            {
                byte = high << 4 | low
                index += 2
                isCoded = !isUnreserved(byte)
            }
            if isCoded {
                result += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
            index += 1
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
        default: nil
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "-._~".utf8.contains(byte)
    }

    /// Returns whether a pattern matches the start of a path.
    ///
    /// The time is proportional to the product of their lengths.
    private static func fits(_ pattern: [UInt8], path: [UInt8], steps: inout Int) -> Bool {
        let star = UInt8(ascii: "*")
        let isWhole = pattern.last == UInt8(ascii: "$")
        let pattern = isWhole ? pattern.dropLast() : pattern[...]
        var (at, place) = (0, 0)
        var back: (at: Int, place: Int)?
        while true {
            steps += 1
            guard steps <= mostSteps else { return false }
            if at == pattern.count, !isWhole || place == path.count { return true }
            if at < pattern.count, pattern[at] == star {
                back = (at + 1, place)
                at += 1
            } else if at < pattern.count, place < path.count, pattern[at] == path[place] {
                (at, place) = (at + 1, place + 1)
            } else if let last = back, last.place < path.count {
                back = (last.at, last.place + 1)
                (at, place) = (last.at, last.place + 1)
            } else {
                return false
            }
        }
    }
}
