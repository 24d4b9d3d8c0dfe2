internal import Feeds
import SystemSupport
import TerminalUI

/// Methods that search the visible items.
extension FindingState {
    /// A search and its matches.
    struct Search: Equatable, Sendable {
        var needle: TextNeedle
        /// The positions of all matches, or nil until the search is complete.
        var positions: [UInt32]?
        /// The start position of a search that selects its first match, or nil if the search leaves
        /// the selection unchanged.
        var jumpsFrom: Int?
    }

    /// The selected position and the scroll position before the search.
    struct Origin: Equatable, Sendable {
        var selection: Int
        var topRow: Int
    }

    /// The change of the selection in response to a search result.
    enum Jump: Equatable {
        case stay
        case select(Int)
        case goBack(Origin)
    }

    /// Returns the selection and scroll position before the user started typing.
    ///
    /// The first call stores `place` as these positions.
    mutating func beginTyping(at place: Origin) -> Origin {
        let origin = searchOrigin ?? place
        searchOrigin = origin
        return origin
    }

    /// Ends typing, and returns the selection and scroll position before the user started typing.
    mutating func endTyping() -> Origin? {
        defer { searchOrigin = nil }
        return searchOrigin
    }

    /// Ends the search and no longer underlines its matches.
    mutating func endSearch() {
        search = nil
        searchNumber += 1
    }

    /// Searches all items in `order`.
    ///
    /// If `start` is nil, the search starts at the selection and leaves it unchanged. Otherwise,
    /// the search starts at `start` and selects the first match.
    mutating func find(
        _ needle: TextNeedle,
        in order: ItemOrder,
        selection: Int,
        jumpingFrom start: Int?
    ) -> [Effect] {
        searchNumber += 1
        search = Search(needle: needle, jumpsFrom: start)
        let request = SearchRequest(needle: needle, order: order, start: start ?? selection)
        return [.finding(.find(request, number: searchNumber))]
    }

    /// Handles a search result, and returns the required change of the selection.
    ///
    /// `count` is the number of visible items. Results of earlier searches are ignored.
    mutating func take(_ answer: SearchAnswer, number: Int, count: Int) -> Jump {
        guard number == searchNumber else { return .stay }
        guard let start = search?.jumpsFrom else {
            if case .all(let positions) = answer { search?.positions = positions }
            return .stay
        }
        switch answer {
        case .nearest(let position): return position < count ? .select(position) : .stay
        case .all(let positions):
            search?.positions = positions
            search?.jumpsFrom = nil
            guard !positions.isEmpty else { return searchOrigin.map { .goBack($0) } ?? .stay }
            // After the last match, the search wraps around to the first.
            let next = positions.partitioningIndex { Int($0) >= start }
            return .select(Int(positions[next % positions.count]))
        }
    }

    /// Returns the position of the next or previous match, and a message.
    ///
    /// Returns nil if there is no search. The position is nil if the search is still running or has
    /// no matches.
    func match(_ step: Int, from selection: Int) -> (position: Int?, notice: Notice)? {
        guard let search else { return nil }
        guard let positions = search.positions else { return (nil, Notice("still searching")) }
        guard !positions.isEmpty else { return (nil, Self.noMatch(search.needle.text)) }
        let next = positions.partitioningIndex { Int($0) > selection }
        let before = positions.partitioningIndex { Int($0) >= selection } - 1
        let wraps = step > 0 ? next == positions.count : before < 0
        let place = ((step > 0 ? next : before) + positions.count) % positions.count
        let turn = wraps ? (step > 0 ? ", continued at the first" : ", continued at the last") : ""
        let notice = Notice("match \(place + 1) of \(positions.count)\(turn)")
        return (Int(positions[place]), notice)
    }

    static func noMatch(_ text: String) -> Notice {
        Notice("no caption or URL contains \"\(text)\"", .warning)
    }

    /// Returns the text for the search prompt that describes the result, such as "match 2 of 9".
    func outcome(at selection: Int) -> (text: String, tone: Theme.Tone) {
        guard let search else { return ("", .caption) }
        guard let positions = search.positions else { return ("searching", .dim) }
        guard !positions.isEmpty else { return ("no match", .failure) }
        let place = positions.partitioningIndex { Int($0) >= selection } + 1
        return ("match \(place) of \(positions.count)", .caption)
    }
}
