/// Keys and mouse.
extension GalleryState {
    mutating func press(_ key: Key) -> [Effect] {
        if let overlay { return press(key, in: overlay) }
        if let effects = scrollStatistics(key) { return effects }
        let table = detail == nil ? KeyTable.grid : KeyTable.detail
        if let action = table.action(for: key) { return perform(action) }
        if detail == nil, case .character(let digit) = key, digit.isASCII, digit.isNumber {
            overlay = .count(String(digit))
            return []
        }
        if key == .escape, statisticsStart != nil { return hideStatistics() }
        notice = Notice("no such key: \(key.name)")
        return []
    }

    mutating func point(_ mouse: Mouse) -> [Effect] {
        if case .help(let scroll)? = overlay {
            if mouse == .wheelUp { scrollHelp(to: scroll - 3) }
            if mouse == .wheelDown { scrollHelp(to: scroll + 3) }
        }
        guard overlay == nil, !isStatisticsPage else { return [] }
        guard detail == nil else { return pointInDetail(mouse) }
        switch mouse {
        case .wheelUp: return scroll(rows: -1)
        case .wheelDown: return scroll(rows: 1)
        case .press(let row, let column): return select(row: row, column: column) ?? []
        case .doublePress(let row, let column):
            guard let effects = select(row: row, column: column) else { return [] }
            return effects + openDetail()
        }
    }

    /// Text for a prompt, of which Enter still makes a command; elsewhere it means nothing.
    mutating func paste(_ text: String) {
        switch overlay {
        case .count(let typed):
            let digits = text.filter { $0.isASCII && $0.isNumber }
            overlay = .count(String((typed + digits).prefix(9)))
        case .command(let typed):
            let line = text.prefix { !$0.isNewline }
            overlay = .command(String((typed + line).prefix(Self.longestLine)))
        case .help, .confirmClearDisk, nil: break
        }
    }

    private mutating func pointInDetail(_ mouse: Mouse) -> [Effect] {
        switch mouse {
        case .wheelUp: detail?.look { $0.zoomIn() } ?? []
        case .wheelDown: detail?.look { $0.zoomOut() } ?? []
        case .press: []
        case .doublePress: closeDetail()
        }
    }

    /// Selects what was clicked; nil if there is nothing.
    private mutating func select(row: Int, column: Int) -> [Effect]? {
        guard let position = layout.position(row: row, column: column) else { return nil }
        let item = visibleItems.lowerBound + position
        guard visibleItems.contains(item) else { return nil }
        selection = item
        return settle()
    }

    /// Whether the statistics take the whole screen: there is no room beside what is shown.
    var isStatisticsPage: Bool {
        statisticsStart != nil && (panelColumn == nil || detail != nil)
    }

    private mutating func scrollStatistics(_ key: Key) -> [Effect]? {
        guard isStatisticsPage, let start = statisticsStart else { return nil }
        let view = StatisticsView(state: self)
        guard let next = key.scrolled(from: start, page: view.height) else { return nil }
        statisticsStart = max(0, min(next, view.lastStart))
        return []
    }
}

extension Key {
    /// Where a page that is longer than the screen goes on after the key; nil of other keys.
    func scrolled(from line: Int, page: Int) -> Int? {
        switch self {
        case .down, .character("j"): line + 1
        case .up, .character("k"): line - 1
        case .pageDown, .character(" "), .control("f"): line + page
        case .pageUp, .control("b"): line - page
        case .home, .character("g"): 0
        case .end, .character("G"): .max
        default: nil
        }
    }
}

/// What takes the keys before the gallery does.
enum Overlay: Equatable, Sendable {
    /// The key table, from this line on.
    case help(scroll: Int)
    /// Asks before the disk cache is emptied; holds what was typed.
    case confirmClearDisk(String)
    /// A number: of an item, or how often the next key counts.
    case count(String)
    /// A command after the colon.
    case command(String)
}

/// Help, questions and prompts.
extension GalleryState {
    mutating func press(_ key: Key, in overlay: Overlay) -> [Effect] {
        if let effects = alwaysPossible(key) { return effects }
        switch overlay {
        case .help(let scroll): pressInHelp(key, scroll: scroll)
        case .confirmClearDisk(let text):
            return type(key, after: text, as: Overlay.confirmClearDisk) { gallery, text in
                gallery.confirmClearDisk(text)
            }
        case .count(let text): return pressAfterCount(key, text)
        case .command(let text):
            return type(key, after: text, as: Overlay.command) { gallery, text in
                gallery.run(command: text)
            }
        }
        return []
    }

    private func alwaysPossible(_ key: Key) -> [Effect]? {
        switch key {
        case .control("l"): [.redraw]
        case .control("z"): [.suspend]
        default: nil
        }
    }

    private mutating func pressInHelp(_ key: Key, scroll: Int) {
        let page = max(1, HelpView.height(on: screen) - 1)
        if let line = key.scrolled(from: scroll, page: page) {
            scrollHelp(to: line)
        } else {
            overlay = nil
        }
    }

    mutating func scrollHelp(to line: Int) {
        let last = HelpView.lastScroll(on: screen)
        overlay = .help(scroll: max(0, min(line, last)))
    }

    private static let longestLine = 60

    /// A line that is typed: no longer than any command, and kept until Enter or Esc.
    private mutating func type(
        _ key: Key,
        after text: String,
        as prompt: (String) -> Overlay,
        then finish: (inout GalleryState, String) -> [Effect]
    ) -> [Effect] {
        switch key {
        case .character(let character):
            if text.count < Self.longestLine { overlay = prompt(text + [character]) }
        case .backspace: overlay = text.isEmpty ? nil : prompt(String(text.dropLast()))
        case .escape:
            overlay = nil
            if case .confirmClearDisk = prompt("") { notice = Notice("the disk cache is kept") }
        case .enter:
            overlay = nil
            return finish(&self, text)
        default: break
        }
        return []
    }

    private mutating func confirmClearDisk(_ text: String) -> [Effect] {
        guard text.lowercased() == "yes" else {
            notice = Notice("the disk cache is kept")
            return []
        }
        return [.clearDiskCache]
    }

    private mutating func run(command text: String) -> [Effect] {
        let word = text.filter { $0 != " " }
        if word.isEmpty { return [] }
        if word == "q" { return [.quit] }
        if word.last == "%", let percent = Self.number(word.dropLast()) {
            return go(percent: percent)
        }
        if let number = Self.number(word[...]) { return go(to: number - 1) }
        notice = Notice("no such command: \(text)", .warning)
        return []
    }

    /// Nine digits are more than any feed has, and can't overflow.
    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text.prefix(9)) : nil
    }

    private mutating func pressAfterCount(_ key: Key, _ text: String) -> [Effect] {
        let count = Self.number(text[...]) ?? 1
        switch key {
        case .character(let digit) where digit.isASCII && digit.isNumber:
            overlay = .count(String((text + [digit]).prefix(9)))
            return []
        case .backspace:
            overlay = text.count > 1 ? .count(String(text.dropLast())) : nil
            return []
        case .enter, .character("g"), .character("G"): return go(to: count - 1)
        case .character("%"): return go(percent: count)
        default: break
        }
        overlay = nil
        if case .move(let movement)? = KeyTable.grid.action(for: key) {
            return move(movement, times: count)
        }
        return key == .escape ? [] : press(key)
    }

    private mutating func go(percent: Int) -> [Effect] {
        go(to: (itemCount - 1) * min(percent, 100) / 100)
    }

    private mutating func go(to item: Int) -> [Effect] {
        overlay = nil
        if item < 0 || item >= itemCount { notice = Notice("there are \(itemCount) pictures") }
        selection = item
        return settle()
    }
}
