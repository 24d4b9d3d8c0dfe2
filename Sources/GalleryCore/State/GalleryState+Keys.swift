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

extension Key {
    /// What the key is called in a notice.
    var name: String {
        switch self {
        case .character(let character): character == " " ? "Space" : String(character)
        case .control(let character): "^" + character.uppercased()
        case .up, .down, .left, .right, .home, .end, .enter, .backspace: "\(self)"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .escape: "Esc"
        }
    }
}
