import Decoders
import GalleryCore

/// What a terminal has answered.
///
/// Pure. Takes whatever comes; what is no answer to a question of ours is not kept.
struct TerminalAnswers: Equatable, Sendable {
    private(set) var replies: [TerminalQuestion: TerminalReply] = [:]

    /// No answers yet, but for those of others that stay true whatever the screen becomes.
    init(keepingFrom others: TerminalAnswers = TerminalAnswers(replies: [:])) {
        replies = others.replies.filter { $0.key == .signWidth }
    }

    private init(replies: [TerminalQuestion: TerminalReply]) {
        self.replies = replies
    }

    /// Keeps a reply if it answers something; says what.
    mutating func take(_ reply: TerminalReply) -> TerminalQuestion? {
        let question: TerminalQuestion?
        switch reply {
        case .sequence(let text): question = Self.question(sequence: text)
        case .string(.deviceControl, let text): question = Self.question(deviceControl: text)
        case .string(.applicationCommand, let text): question = Self.question(kitty: text)
        case .string(.systemCommand, let text): question = Self.question(systemCommand: text)
        case .string: question = nil
        }
        if let question { replies[question] = reply }
        return question
    }

    // MARK: Telling them apart

    private static func question(sequence: String) -> TerminalQuestion? {
        guard let numbers = numbers(in: sequence), let final = sequence.last else { return nil }
        let (marker, first, count) = (sequence.first, numbers[0], numbers.count)
        switch final {
        case "c" where marker == "?": return .attributes
        case "c" where marker == ">": return .secondaryAttributes
        case "t" where first == 6 && count == 3: return .cellSize
        case "t" where first == 4 && count == 3: return .textAreaSize
        case "R" where marker != "?" && first > 1 && count == 2: return .signWidth
        case "y" where marker == "?" && first == 2026 && count == 2: return .synchronizedOutput
        case "y" where marker == "?" && first == 2027 && count == 2: return .graphemeClusters
        default: return nil
        }
    }

    private static func question(deviceControl text: String) -> TerminalQuestion? {
        if text.hasPrefix(">|") { return TerminalName(text.dropFirst(2)) == nil ? nil : .version }
        if text.hasPrefix("1$r") || text.hasPrefix("0$r") { return .directColor }
        guard text.hasPrefix("1+r") || text.hasPrefix("0+r") else { return nil }
        let names = text.dropFirst(3).split(separator: ";").map { $0.prefix { $0 != "=" } }
        if names.contains("524742") { return .rgbCapability }
        return names.contains("5463") ? .tcCapability : nil
    }

    private static func question(kitty text: String) -> TerminalQuestion? {
        guard text.hasPrefix("G"), let end = text.firstIndex(of: ";") else { return nil }
        let keys = text[..<end].dropFirst().split(separator: ",")
        return [TerminalQuestion.kittyDirect, .kittyCompressed, .kittySharedMemory].first {
            keys.contains("i=\($0.kittyID)")
        }
    }

    private static func question(systemCommand text: String) -> TerminalQuestion? {
        if text.hasPrefix("1337;ReportCellSize=") {
            return reportedCell(text) == nil ? nil : .reportCellSize
        }
        guard color(text) != nil else { return nil }
        if text.hasPrefix("11;") { return .background }
        return text.hasPrefix("10;") ? .foreground : nil
    }

    /// The numbers of a control sequence; nil if there is anything else in it.
    private static func numbers(in sequence: String) -> [Int]? {
        var body = sequence.dropLast()
        if let marker = body.first, "?>=<".contains(marker) { body = body.dropFirst() }
        if body.last == "$" { body = body.dropLast() }
        let parts = body.split(separator: ";")
        let numbers = parts.compactMap { part in
            part.allSatisfy { ("0"..."9").contains($0) } ? Int(part) : nil
        }
        return parts.isEmpty || numbers.count != parts.count ? nil : numbers
    }
}

// MARK: What they mean

extension TerminalAnswers {
    /// The name and version that it gives itself.
    var name: TerminalName? {
        if case .string(_, let text)? = replies[.version] {
            return TerminalName(text.dropFirst(2))
        }
        // Of the six that were tried the one that has no name to give.
        return numbers(.secondaryAttributes) == [24, 279, 0] ? TerminalName("mlterm") : nil
    }

    /// How many columns a sign and a block of ambiguous width take together; nil if the answer makes no
    /// sense.
    var signColumns: Int? {
        guard let columns = numbers(.signWidth)?.last.map({ $0 - 1 }), (2...4).contains(columns)
        else { return nil }
        return columns
    }

    /// Sixel pictures are among what it can do (4 in DA1).
    var hasSixel: Bool { numbers(.attributes)?.dropFirst().contains(4) ?? false }

    /// A cell in pixels.
    var cellSize: PixelSize? {
        guard let numbers = numbers(.cellSize) else { return nil }
        return PixelSize(width: numbers[2], height: numbers[1])
    }

    /// The text area in pixels.
    var textAreaSize: PixelSize? {
        guard let numbers = numbers(.textAreaSize) else { return nil }
        return PixelSize(width: numbers[2], height: numbers[1])
    }

    /// A cell in pixels, as iTerm2 and its kin say it.
    var reportedCellSize: PixelSize? {
        guard case .string(_, let text)? = replies[.reportCellSize] else { return nil }
        return Self.reportedCell(text)
    }

    /// Whether it loaded the picture of a question by kitty's protocol.
    func accepts(_ question: TerminalQuestion) -> Bool {
        guard case .string(_, let text)? = replies[question] else { return false }
        return text.hasSuffix(";OK")
    }

    /// The state of a mode; nil if it doesn't know the mode.
    func mode(_ question: TerminalQuestion) -> Int? {
        guard let state = numbers(question)?.last, (1...3).contains(state) else { return nil }
        return state
    }

    /// The colour behind the text.
    var background: CellColor? { color(.background) }

    /// The colour of the text.
    var foreground: CellColor? { color(.foreground) }

    /// Whether it has 24-bit colour; nil if it doesn't say.
    var hasDirectColor: Bool? {
        for question in [TerminalQuestion.rgbCapability, .tcCapability] {
            if case .string(_, let text)? = replies[question], text.hasPrefix("1") { return true }
        }
        guard case .string(_, let text)? = replies[.directColor], text.hasPrefix("1$r") else {
            return nil
        }
        let parts = text.dropFirst(3).dropLast().split { $0 == ";" || $0 == ":" }
        if parts.suffix(3) == ["47", "115", "155"], parts.contains("48") { return true }
        // It shows the nearest of its palette.
        let isPalette = parts.suffix(3).first == "48" && parts.suffix(2).first == "5"
        return isPalette ? false : nil
    }

    private func numbers(_ question: TerminalQuestion) -> [Int]? {
        guard case .sequence(let text)? = replies[question] else { return nil }
        return Self.numbers(in: text)
    }

    private func color(_ question: TerminalQuestion) -> CellColor? {
        guard case .string(_, let text)? = replies[question] else { return nil }
        return Self.color(text)
    }

    /// `11;rgb:1c1c/2020/2828`: one to four hexadecimal digits each, the whole range of which is
    /// from black to full (XParseColor).
    private static func color(_ text: String) -> CellColor? {
        let halves = text.split(separator: ":")
        guard halves.count == 2, halves[0].hasSuffix(";rgb") || halves[0].hasSuffix(";rgba") else {
            return nil
        }
        let parts = halves[1].split(separator: "/")
        let values = parts.prefix(3).compactMap { part -> UInt8? in
            guard (1...4).contains(part.count), let value = Int(part, radix: 16), value >= 0
            else { return nil }
            return UInt8((value * 255 * 2 / ((1 << (4 * part.count)) - 1) + 1) / 2)
        }
        guard (3...4).contains(parts.count), values.count == 3 else { return nil }
        return .rgb(values[0], values[1], values[2])
    }

    /// `1337;ReportCellSize=height;width;scale`, in points.
    private static func reportedCell(_ text: String) -> PixelSize? {
        let values = text.split(separator: "=").last?.split(separator: ";").map { Double($0) } ?? []
        guard values.count >= 2, let height = values[0], let width = values[1],
            let scale = values.count > 2 ? values[2] : 1,
            [height * scale, width * scale].allSatisfy({ (1...1000).contains($0) })
        else { return nil }
        return PixelSize(width: Int(width * scale), height: Int(height * scale))
    }
}

/// The name that a terminal gives itself: "kitty(0.47.4)", "tmux 3.3a", "Konsole 22.12.3".
///
/// Pure.
struct TerminalName: Hashable, Sendable, CustomStringConvertible {
    let name: String
    /// Empty if there is none.
    let version: String

    /// Reads the answer to XTVERSION; nil if there is no name in it.
    init?(_ text: some StringProtocol) {
        let text = String(text).printableASCII
        name = String(text.prefix { $0 != "(" && $0 != " " })
        version = String(text.dropFirst(name.count + 1).prefix { $0 != ")" })
        if name.isEmpty { return nil }
    }

    var description: String { version.isEmpty ? name : "\(name) \(version)" }

    /// Whether it is called so, and its version no older.
    func `is`(_ wanted: String, atLeast version: [Int] = []) -> Bool {
        name.lowercased() == wanted && !numbers.lexicographicallyPrecedes(version)
    }

    /// The numbers of the version: [0, 47, 4].
    private var numbers: [Int] {
        version.split(separator: ".").map { part in
            Int(part.prefix { ("0"..."9").contains($0) }) ?? 0
        }
    }
}
