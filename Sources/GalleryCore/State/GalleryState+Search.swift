internal import Feeds
import SystemSupport
import TerminalUI

/// Searching the visible items.
extension GalleryState {
    /// Searches for the typed text, starting at the position before the search.
    mutating func followSearch(_ text: String) -> [Effect] {
        let here = FindingState.Origin(selection: grid.selection, topRow: grid.topRow)
        let origin = finding.searchOrigin ?? here
        finding.searchOrigin = origin
        guard let needle = TextNeedle(text) else {
            finding.search = nil
            return goBack(to: origin)
        }
        return find(needle, jumpingFrom: origin.selection)
    }

    /// Confirms the search; an empty text repeats the previous search.
    mutating func keepSearch(_ text: String) -> [Effect] {
        finding.searchOrigin = nil
        if text.isEmpty { return findAgain() }
        if finding.search?.positions?.isEmpty == true { sayThatNothingMatches(text) }
        return []
    }

    /// Cancels the search and returns to the position before it.
    mutating func giveUpSearch() -> [Effect] {
        let origin = finding.searchOrigin
        finding.searchOrigin = nil
        endSearch()
        return origin.map { goBack(to: $0) } ?? []
    }

    /// Ends the search, and removes the underlines from matches.
    mutating func endSearch() {
        finding.search = nil
        finding.searchNumber += 1
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
        finding.searchNumber += 1
        finding.search = FindingState.Search(needle: needle, jumpsFrom: start)
        let request = SearchRequest(
            needle: needle,
            order: grid.order,
            start: start ?? grid.selection
        )
        return [.finding(.find(request, number: finding.searchNumber))]
    }

    mutating func take(_ answer: SearchAnswer, number: Int) -> [Effect] {
        guard number == finding.searchNumber, let start = finding.search?.jumpsFrom else {
            if case .all(let positions) = answer, number == finding.searchNumber {
                finding.search?.positions = positions
            }
            return []
        }
        switch answer {
        case .nearest(let position): if position < itemCount { grid.select(position) }
        case .all(let positions):
            finding.search?.positions = positions
            finding.search?.jumpsFrom = nil
            guard !positions.isEmpty else {
                return finding.searchOrigin.map { goBack(to: $0) } ?? []
            }
            // After the last match, the search continues at the first match.
            let next = positions.partitioningIndex { Int($0) >= start }
            grid.select(Int(positions[next % positions.count]))
        }
        return settle()
    }

    /// Selects the next or the previous match.
    mutating func stepToMatch(_ step: Int) -> [Effect] {
        guard let search = finding.search else { return findAgain() }
        guard let positions = search.positions else {
            notice = Notice("still searching")
            return []
        }
        guard !positions.isEmpty else {
            sayThatNothingMatches(search.needle.text)
            return []
        }
        let next = positions.partitioningIndex { Int($0) > grid.selection }
        let before = positions.partitioningIndex { Int($0) >= grid.selection } - 1
        let wraps = step > 0 ? next == positions.count : before < 0
        let place = ((step > 0 ? next : before) + positions.count) % positions.count
        grid.select(Int(positions[place]))
        let turn = wraps ? (step > 0 ? ", continued at the first" : ", continued at the last") : ""
        notice = Notice("match \(place + 1) of \(positions.count)\(turn)")
        return settle()
    }

    private mutating func sayThatNothingMatches(_ text: String) {
        notice = Notice("no caption or URL contains \"\(text)\"", .warning)
    }

    /// The result of the search, shown in the search prompt.
    var searchOutcome: (text: String, tone: Theme.Tone) {
        guard let search = finding.search else { return ("", .caption) }
        guard let positions = search.positions else { return ("searching", .dim) }
        guard !positions.isEmpty else { return ("no match", .failure) }
        let place = positions.partitioningIndex { Int($0) >= grid.selection } + 1
        return ("match \(place) of \(positions.count)", .caption)
    }
}
