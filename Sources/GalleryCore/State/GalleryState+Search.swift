internal import Feeds
import TerminalUI

/// Methods that search the visible items.
extension GalleryState {
    /// Searches for the text that the user is typing.
    ///
    /// The search starts at the position that was selected before the user started typing.
    mutating func followSearch(_ text: String) -> [Effect] {
        let here = FindingState.Origin(selection: grid.selection, topRow: grid.topRow)
        let origin = finding.beginTyping(at: here)
        guard let needle = TextNeedle(text) else {
            finding.endSearch()
            return goBack(to: origin)
        }
        return find(needle, jumpingFrom: origin.selection)
    }

    /// Handles Enter in the search prompt.
    ///
    /// If the text is empty, the previous search is repeated. If there is no match, a message is
    /// shown.
    mutating func keepSearch(_ text: String) -> [Effect] {
        _ = finding.endTyping()
        if text.isEmpty { return findAgain() }
        if finding.search?.positions?.isEmpty == true { notice = FindingState.noMatch(text) }
        return []
    }

    /// Cancels the search, and restores the selection from before the search.
    mutating func giveUpSearch() -> [Effect] {
        let origin = finding.endTyping()
        finding.endSearch()
        return origin.map { goBack(to: $0) } ?? []
    }

    private mutating func goBack(to origin: FindingState.Origin) -> [Effect] {
        grid.restore(origin)
        return settle()
    }

    private mutating func findAgain() -> [Effect] {
        guard let last = prompt.history[.search].last, let needle = TextNeedle(last) else {
            notice = Notice("no search yet; press / to search")
            return []
        }
        return find(needle, jumpingFrom: grid.selection + 1)
    }

    mutating func find(_ needle: TextNeedle, jumpingFrom start: Int?) -> [Effect] {
        finding.find(needle, in: grid.order, selection: grid.selection, jumpingFrom: start)
    }

    mutating func take(_ answer: SearchAnswer, number: Int) -> [Effect] {
        switch finding.take(answer, number: number, count: itemCount) {
        case .stay: return []
        case .goBack(let origin): return goBack(to: origin)
        case .select(let position):
            grid.select(position)
            return settle()
        }
    }

    /// Selects the next or the previous match.
    mutating func stepToMatch(_ step: Int) -> [Effect] {
        guard let match = finding.match(step, from: grid.selection) else { return findAgain() }
        notice = match.notice
        guard let position = match.position else { return [] }
        grid.select(position)
        return settle()
    }
}
