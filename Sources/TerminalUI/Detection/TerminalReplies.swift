import Decoders

/// The replies received from a terminal.
///
/// This type has no side effects. It ignores replies that do not answer a query from this program.
package struct TerminalReplies: Equatable, Sendable {
    package private(set) var byQuery: [TerminalQuery: TerminalReply] = [:]

    /// Creates replies that contain only the symbol widths from `others`.
    ///
    /// The widths are kept because they are measured only once.
    package init(keepingFrom others: TerminalReplies = TerminalReplies(byQuery: [:])) {
        byQuery = others.byQuery.filter { $0.key == .signWidth }
    }

    private init(byQuery: [TerminalQuery: TerminalReply]) {
        self.byQuery = byQuery
    }

    /// Stores a reply, and returns the query that it answers, or nil if it answers no query.
    package mutating func take(_ reply: TerminalReply) -> TerminalQuery? {
        let query: TerminalQuery?
        switch reply {
        case .sequence(let text): query = Self.query(sequence: text)
        case .string(.deviceControl, let text): query = Self.query(deviceControl: text)
        case .string(.applicationCommand, let text): query = Self.query(kitty: text)
        case .string(.systemCommand, let text): query = Self.query(systemCommand: text)
        case .string: query = nil
        }
        if let query { byQuery[query] = reply }
        return query
    }

    // MARK: Matching queries

    private static func query(sequence: String) -> TerminalQuery? {
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

    private static func query(deviceControl text: String) -> TerminalQuery? {
        if text.hasPrefix(">|") { return TerminalName(text.dropFirst(2)) == nil ? nil : .version }
        if text.hasPrefix("1$r") || text.hasPrefix("0$r") { return .directColor }
        guard text.hasPrefix("1+r") || text.hasPrefix("0+r") else { return nil }
        let names = text.dropFirst(3).split(separator: ";").map { $0.prefix { $0 != "=" } }
        if names.contains("524742") { return .rgbCapability }
        return names.contains("5463") ? .tcCapability : nil
    }

    private static func query(kitty text: String) -> TerminalQuery? {
        guard text.hasPrefix("G"), let end = text.firstIndex(of: ";") else { return nil }
        let keys = text[..<end].dropFirst().split(separator: ",")
        return [TerminalQuery.kittyDirect, .kittyCompressed, .kittySharedMemory].first {
            keys.contains("i=\($0.kittyID)")
        }
    }

    private static func query(systemCommand text: String) -> TerminalQuery? {
        if text.hasPrefix("1337;ReportCellSize=") {
            return reportedCell(text) == nil ? nil : .reportCellSize
        }
        guard color(text) != nil else { return nil }
        if text.hasPrefix("11;") { return .background }
        return text.hasPrefix("10;") ? .foreground : nil
    }

    /// Returns the numeric parameters of a control sequence, or nil if it has other parameters.
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

// MARK: Interpretation

extension TerminalReplies {
    /// The name and version that the terminal reports.
    package var name: TerminalName? {
        if case .string(_, let text)? = byQuery[.version] {
            return TerminalName(text.dropFirst(2))
        }
        // Of six tested terminals, only mlterm does not report a name. It is recognized by its
        // device attributes.
        return numbers(.secondaryAttributes) == [24, 279, 0] ? TerminalName("mlterm") : nil
    }

    /// The total number of columns occupied by two characters of ambiguous width, a symbol and a
    /// block, or nil if the reply is missing or implausible.
    var signColumns: Int? {
        guard let columns = numbers(.signWidth)?.last.map({ $0 - 1 }), (2...4).contains(columns)
        else { return nil }
        return columns
    }

    /// Whether the terminal reports support for sixel images (4 in DA1).
    var hasSixel: Bool { numbers(.attributes)?.dropFirst().contains(4) ?? false }

    /// The size of a cell in pixels.
    var cellSize: PixelSize? {
        guard let numbers = numbers(.cellSize) else { return nil }
        return PixelSize(width: numbers[2], height: numbers[1])
    }

    /// The size of the text area in pixels.
    var textAreaSize: PixelSize? {
        guard let numbers = numbers(.textAreaSize) else { return nil }
        return PixelSize(width: numbers[2], height: numbers[1])
    }

    /// The size of a cell in pixels, from the report defined by iTerm2.
    var reportedCellSize: PixelSize? {
        guard case .string(_, let text)? = byQuery[.reportCellSize] else { return nil }
        return Self.reportedCell(text)
    }

    /// Returns whether the terminal accepted the test image of a query.
    package func accepts(_ query: TerminalQuery) -> Bool {
        guard case .string(_, let text)? = byQuery[query] else { return false }
        return text.hasSuffix(";OK")
    }

    /// Returns the state of a mode, or nil if the terminal does not recognize the mode.
    package func mode(_ query: TerminalQuery) -> Int? {
        guard let state = numbers(query)?.last, (1...3).contains(state) else { return nil }
        return state
    }

    package var background: CellColor? { color(.background) }

    /// The text color.
    package var foreground: CellColor? { color(.foreground) }

    /// Whether the terminal supports 24-bit color, or nil if unknown.
    package var hasDirectColor: Bool? {
        for query in [TerminalQuery.rgbCapability, .tcCapability] {
            if case .string(_, let text)? = byQuery[query], text.hasPrefix("1") { return true }
        }
        guard case .string(_, let text)? = byQuery[.directColor], text.hasPrefix("1$r") else {
            return nil
        }
        let parts = text.dropFirst(3).dropLast().split { $0 == ";" || $0 == ":" }
        if parts.suffix(3) == ["47", "115", "155"], parts.contains("48") { return true }
        // The terminal replaced the color with the nearest color in its palette.
        let isPalette = parts.suffix(3).first == "48" && parts.suffix(2).first == "5"
        return isPalette ? false : nil
    }

    private func numbers(_ query: TerminalQuery) -> [Int]? {
        guard case .sequence(let text)? = byQuery[query] else { return nil }
        return Self.numbers(in: text)
    }

    private func color(_ query: TerminalQuery) -> CellColor? {
        guard case .string(_, let text)? = byQuery[query] else { return nil }
        return Self.color(text)
    }

    /// Parses a color such as `11;rgb:1c1c/2020/2828`.
    ///
    /// Each component has one to four hexadecimal digits. Zero means no light, and the largest
    /// value with that number of digits means full intensity (XParseColor).
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

    /// Parses `1337;ReportCellSize=height;width;scale`, where height and width are in points.
    private static func reportedCell(_ text: String) -> PixelSize? {
        let values = text.split(separator: "=").last?.split(separator: ";").map { Double($0) } ?? []
        guard values.count >= 2, let height = values[0], let width = values[1],
            let scale = values.count > 2 ? values[2] : 1,
            [height * scale, width * scale].allSatisfy({ (1...1000).contains($0) })
        else { return nil }
        return PixelSize(width: Int(width * scale), height: Int(height * scale))
    }
}

/// The name and version reported by a terminal: "kitty(0.47.4)", "tmux 3.3a", "Konsole 22.12.3".
///
/// This type has no side effects.
package struct TerminalName: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    /// The version, which may be empty.
    package let version: String

    /// Parses the reply to XTVERSION, or returns nil if it contains no name.
    init?(_ text: some StringProtocol) {
        let text = String(text).printableASCII
        name = String(text.prefix { $0 != "(" && $0 != " " })
        version = String(text.dropFirst(name.count + 1).prefix { $0 != ")" })
        if name.isEmpty { return nil }
    }

    package var description: String { version.isEmpty ? name : "\(name) \(version)" }

    /// Returns whether the terminal has this name and at least this version.
    package func `is`(_ wanted: String, atLeast version: [Int] = []) -> Bool {
        name.lowercased() == wanted && !numbers.lexicographicallyPrecedes(version)
    }

    /// The components of the version, such as [0, 47, 4].
    private var numbers: [Int] {
        version.split(separator: ".").map { part in
            Int(part.prefix { ("0"..."9").contains($0) }) ?? 0
        }
    }
}
