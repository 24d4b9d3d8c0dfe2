internal import BitCollections
import TerminalUI

/// Methods that handle keys and mouse events.
extension GalleryState {
    /// The keys of the image view if it is open, otherwise those of the grid.
    var currentKeys: KeyTable { detail == nil ? keys.grid : keys.detail }

    mutating func press(_ key: Key) -> [Effect] {
        if let overlay = prompt.overlay { return press(key, in: overlay) }
        if let effects = scrollStatistics(key) ?? pressOnInformationPage(key) { return effects }
        if let effects = pressInLabelMode(key) ?? pressToPick(key) { return effects }
        if let action = currentKeys.action(for: key) { return perform(action) }
        if case .character(let digit) = key, digit.isASCII, digit.isNumber {
            prompt.beginCount(with: digit)
            return []
        }
        if key == .escape {
            if let effects = takeBack() { return effects }
            if !choices.marks.isEmpty { notice = Notice("press U to unmark all") }
            return []
        }
        notice = Notice("no such key: \(key.name)")
        return []
    }

    mutating func point(_ mouse: Mouse) -> [Effect] {
        switch mouse {
        case .press(row: screen.rows - 1, column: let column):
            // A drag of the open image may start here.
            let place = ScreenPlace(row: screen.rows - 1, column: column)
            detail?.hold(at: place)
            return clickBar(at: column)
        // The first click has already been handled, and the second must not close an open image.
        case .doublePress(row: screen.rows - 1, column: _): return []
        default: break
        }
        if case .help(let help)? = prompt.overlay {
            if mouse == .wheelUp { show(help, scroll: help.scroll - 3) }
            if mouse == .wheelDown { show(help, scroll: help.scroll + 3) }
        }
        if prompt.overlay == nil, isInformationPage {
            if mouse == .wheelUp { scrollInformation(by: -3) }
            if mouse == .wheelDown { scrollInformation(by: 3) }
            return []
        }
        guard prompt.overlay == nil, !isStatisticsPage, !isTracePage else { return [] }
        guard detail == nil else { return pointInDetail(mouse) }
        switch mouse {
        case .wheelUp: return scroll(rows: -1)
        case .wheelDown: return scroll(rows: 1)
        case .press(let row, let column): return select(row: row, column: column) ?? []
        case .right(let row, let column):
            guard let effects = select(row: row, column: column) else { return [] }
            return effects + toggleMarkInPlace()
        case .drag, .middle: return []
        case .doublePress(let row, let column):
            guard let effects = select(row: row, column: column) else { return [] }
            return effects + openSelected()
        }
    }

    /// Handles a click on the status bar.
    ///
    /// Clicks are ignored if a prompt is open or the window is too small.
    private mutating func clickBar(at column: Int) -> [Effect] {
        guard fits else { return [] }
        switch prompt.overlay {
        case .prompt, .count, .sort: return []
        case .help(let help) where help.isTyping: return []
        case .help, nil: break
        }
        switch StatusLine(self).target(at: column) {
        case nil: return []
        case .back: return press(.escape)
        case .action(let action): return prompt.overlay == nil ? perform(action) : []
        case .filter(let text):
            let effects = detail == nil ? [] : closeDetail()
            return effects + filter(by: finding.filterText == text ? "" : text)
        }
    }

    /// Handles Escape: closes a panel, ends the search or clears the filter.
    ///
    /// Each press has only one of these effects. It affects the search and the filter only in the
    /// grid. Returns nil if there is nothing to close, end or clear.
    private mutating func takeBack() -> [Effect]? {
        if panels.statistics != nil { return hideStatistics() }
        if panels.information != nil { return hideInformation() }
        if trace.isShown { return toggleTrace() }
        guard detail == nil else { return nil }
        if finding.search != nil {
            finding.endSearch()
            return []
        }
        guard finding.isFiltering else { return nil }
        return clearFilter()
    }

    /// Selects the image at a mouse position, or returns nil if there is no image.
    private mutating func select(row: Int, column: Int) -> [Effect]? {
        guard let position = grid.layout.position(row: row, column: column) else { return nil }
        let place = visiblePositions.lowerBound + position
        guard visiblePositions.contains(place) else { return nil }
        grid.select(place)
        return settle()
    }
}

/// Methods that handle keys while a prompt or the help is open.
extension GalleryState {
    mutating func press(_ key: Key, in overlay: Overlay) -> [Effect] {
        if let effects = alwaysPossible(key) { return effects }
        switch overlay {
        case .help(let help): pressInHelp(key, help)
        case .count(let text): return pressAfterCount(key, text)
        case .prompt(let line): return press(key, in: line)
        case .sort: return pressInSort(key)
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

    /// Handles a key while the help is open: scrolls, filters or closes the help.
    private mutating func pressInHelp(_ key: Key, _ help: HelpState) {
        if help.isTyping { return typeInHelp(key, help) }
        let page = max(1, helpContent(help).height - 1)
        if key == .character("/") {
            var help = help
            help.isTyping = true
            show(help, scroll: 0)
        } else if key == .escape, !help.filter.isEmpty {
            show(HelpState(), scroll: 0)
        } else if let line = key.scrolled(from: help.scroll, page: page) {
            show(help, scroll: line)
        } else {
            prompt.close()
        }
    }

    /// Handles a key while the user types a filter in the help.
    private mutating func typeInHelp(_ key: Key, _ help: HelpState) {
        var help = help
        switch key {
        case .character(let character) where help.filter.count < HelpState.longestFilter:
            help.filter.append(character)
        case .backspace where !help.filter.isEmpty, .control("h") where !help.filter.isEmpty:
            help.filter.removeLast()
        case .control("u"): help.filter = ""
        case .escape, .backspace, .control("h"): help = HelpState()
        case .enter: help.isTyping = false
        default: break
        }
        show(help, scroll: 0)
    }

    /// Shows the help at a scroll position, which is limited to the last line.
    mutating func show(_ help: HelpState, scroll: Int) {
        var help = help
        help.scroll = scroll
        prompt.showHelp(help, last: helpContent(help).lastScroll)
    }

    private mutating func pressAfterCount(_ key: Key, _ text: String) -> [Effect] {
        if prompt.edit(count: text, with: key) { return [] }
        prompt.close()
        let count = CommandTable.number(text) ?? 1
        if key == .enter { return go(to: count - 1) }
        if key == .character("%") { return go(percent: count) }
        switch currentKeys.action(for: key) {
        case .move(.first)?, .move(.last)?: return go(to: count - 1)
        case .move(let movement)?:
            return detail == nil
                ? move(movement, times: count) : moveInDetail(movement, times: count)
        case .next?: return step(count)
        case .previous?: return step(-count)
        case .nextMarked?: return stepToMarked(count)
        case .previousMarked?: return stepToMarked(-count)
        default: return key == .escape ? [] : press(key)
        }
    }

    mutating func go(percent: Int) -> [Effect] {
        go(to: (itemCount - 1) * min(percent, 100) / 100)
    }

    mutating func go(to position: Int) -> [Effect] {
        if position < 0 || position >= itemCount {
            notice = Notice("there are only \(itemCount) images")
        }
        return look(at: max(0, min(position, itemCount - 1)))
    }
}
