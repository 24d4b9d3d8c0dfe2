/// Keys and mouse.
extension GalleryState {
    mutating func press(_ key: Key) -> [Effect] {
        notice = notice?.afterKey
        if let overlay { return press(key, in: overlay) }
        let table = detail == nil ? KeyTable.grid : KeyTable.detail
        if let action = table.action(for: key) { return perform(action) }
        if detail == nil, case .character(let digit) = key, digit.isASCII, digit.isNumber {
            overlay = .goTo(String(digit))
            return []
        }
        if key == .escape, showsStatistics {
            showsStatistics = false
            return []
        }
        notice = Notice("no such key: \(key.name)  (? shows the keys)")
        return []
    }

    mutating func point(_ mouse: Mouse) -> [Effect] {
        if case .help(let scroll)? = overlay {
            if mouse == .wheelUp { overlay = .help(scroll: max(0, scroll - 3)) }
            if mouse == .wheelDown { scrollHelp(to: scroll + 3) }
        }
        guard overlay == nil else { return [] }
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

    /// Text for a prompt; elsewhere it means nothing.
    mutating func paste(_ text: String) {
        guard case .goTo(let typed)? = overlay else { return }
        let digits = text.filter { $0.isASCII && $0.isNumber }
        overlay = .goTo(String((typed + digits).prefix(9)))
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
}

/// What lies over the gallery and takes the keys.
enum Overlay: Equatable, Sendable {
    /// The key table, from this line on.
    case help(scroll: Int)
    /// Asks before the disk cache is emptied.
    case confirmClearDisk
    /// A number is typed: an item's, or a percentage.
    case goTo(String)
}

/// Help, questions and prompts.
extension GalleryState {
    mutating func press(_ key: Key, in overlay: Overlay) -> [Effect] {
        if let effects = alwaysPossible(key) { return effects }
        switch overlay {
        case .help(let scroll): pressInHelp(key, scroll: scroll)
        case .confirmClearDisk: return answer(key)
        case .goTo(let text): return type(key, after: text)
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
        let page = max(1, screen.rows - 4)
        switch key {
        case .down, .character("j"): scrollHelp(to: scroll + 1)
        case .up, .character("k"): scrollHelp(to: scroll - 1)
        case .pageDown, .character(" "), .control("f"): scrollHelp(to: scroll + page)
        case .pageUp, .control("b"): scrollHelp(to: scroll - page)
        case .home, .character("g"): scrollHelp(to: 0)
        case .end, .character("G"): scrollHelp(to: .max)
        default: overlay = nil
        }
    }

    mutating func scrollHelp(to line: Int) {
        overlay = .help(scroll: max(0, min(line, HelpView.lastScroll(on: screen))))
    }

    private mutating func answer(_ key: Key) -> [Effect] {
        overlay = nil
        guard key == .character("y") || key == .character("Y") else {
            notice = Notice("the disk cache is kept")
            return []
        }
        return [.clearDiskCache]
    }

    private mutating func type(_ key: Key, after text: String) -> [Effect] {
        switch key {
        case .character(let digit) where digit.isASCII && digit.isNumber:
            // Nine digits are more than any feed has, and can't overflow.
            if text.count < 9 { overlay = .goTo(text + String(digit)) }
        case .backspace:
            overlay = text.isEmpty ? nil : .goTo(String(text.dropLast()))
        case .enter, .character("g"), .character("G"):
            return go(to: Int(text).map { $0 - 1 })
        case .character("%"):
            return go(to: Int(text).map { (itemCount - 1) * min($0, 100) / 100 })
        default:
            overlay = nil
            if key != .escape { notice = Notice("go to: type a number, then Enter or %") }
        }
        return []
    }

    private mutating func go(to item: Int?) -> [Effect] {
        overlay = nil
        guard let item else { return [] }
        if item < 0 || item >= itemCount { notice = Notice("there are \(itemCount) pictures") }
        selection = item
        return settle()
    }
}
