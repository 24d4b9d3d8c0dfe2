internal import Feeds

/// A result of filtering, sorting or searching.
package enum FindingMessage: Sendable {
    /// The order that `FindingEffect.arrange` with this number requested.
    case arranged(ItemOrder, number: Int)
    /// The result of the search that `FindingEffect.find` with this number requested.
    case found(SearchAnswer, number: Int)
}

/// A request to filter, sort or search off the UI thread.
package enum FindingEffect: Equatable, Sendable {
    /// Compute the visible items; the request replaces the previous one.
    case arrange(ItemArrangement, known: KnownItems, number: Int)
    /// Search for a text; the request replaces the previous one.
    case find(SearchRequest, number: Int)
}

/// The state of searching, filtering and sorting: the requests and their current results.
struct FindingState: Equatable, Sendable {
    /// The current arrangement, or the requested one while it is being computed.
    var arrangement = ItemArrangement()
    /// The text of the filter as typed.
    var filterText = ""
    /// The number of the current request; answers to earlier requests are discarded.
    var arrangementNumber = 0
    /// The number of ticks since the unanswered request, or nil if all requests were answered.
    var waitingTicks: Int?
    /// The number of earlier random orders, which makes each new order different.
    var shuffleCount: UInt64 = 0

    var search: Search?
    var searchNumber = 0

    /// The position before the user typed a search text, or nil if the search prompt is closed.
    var searchOrigin: Origin?

    struct Search: Equatable, Sendable {
        var needle: TextNeedle
        /// The positions of all matches, or nil until the search is complete.
        var positions: [UInt32]?
        /// The position from which the first match is selected, or nil to keep the selection.
        var jumpsFrom: Int?
    }

    init() {}

    /// Creates the state for another feed, without reusing the numbers of earlier requests.
    init(after other: FindingState) {
        arrangementNumber = other.arrangementNumber + 1
        searchNumber = other.searchNumber + 1
        shuffleCount = other.shuffleCount
    }

    struct Origin: Equatable, Sendable {
        var selection: Int
        var topRow: Int
    }
}

extension SortKey {
    /// The message that is shown after sorting in this order.
    var said: String {
        switch self {
        case .feed: "in feed order"
        case .name: "by name"
        case .date: "by date, newest first"
        case .size: "by size in bytes, largest first; unknown sizes last"
        case .dimensions: "by dimensions, largest first; unknown dimensions last"
        case .host: "by host"
        case .random: "in random order"
        }
    }

    /// The orders offered after the key `S`.
    static let row = [SortKey.name, .date, .size, .dimensions, .host, .random]
        .map { (key: String($0.letter), does: $0.rawValue) }

    /// The key that selects this order after `S`.
    var letter: Character {
        switch self {
        case .feed: "o"
        case .name: "n"
        case .date: "d"
        case .size: "s"
        case .dimensions: "x"
        case .host: "h"
        case .random: "r"
        }
    }
}
