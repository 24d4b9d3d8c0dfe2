internal import Feeds

/// A result of filtering, sorting or searching.
package enum FindingMessage: Sendable {
    /// The order requested by `FindingEffect.arrange`.
    ///
    /// `number` is the number of the request.
    case arranged(ItemOrder, number: Int)
    /// The result of the search requested by `FindingEffect.find`.
    ///
    /// `number` is the number of the request.
    case found(SearchAnswer, number: Int)
}

/// A request to filter, sort or search off the UI thread.
package enum FindingEffect: Equatable, Sendable {
    /// Filter and sort the items.
    ///
    /// The request replaces any previous one.
    case arrange(ItemArrangement, known: KnownItems, number: Int)
    /// Search for text.
    ///
    /// The request replaces any previous search.
    case find(SearchRequest, number: Int)
}

/// The state of searching, filtering and sorting: the requests and their latest results.
struct FindingState: Equatable, Sendable {
    /// The filter and the order that have been applied or are being applied.
    private(set) var arrangement = ItemArrangement()
    /// The text of the filter as the user typed it.
    private(set) var filterText = ""
    /// The number of the current request.
    ///
    /// Results for earlier requests are ignored.
    private var arrangementNumber = 0
    /// The number of ticks since the current request was made, or nil if no request is pending.
    private var waitingTicks: Int?
    /// The number of earlier random orders, which makes each new random order different.
    private var shuffleCount: UInt64 = 0

    var search: Search?
    var searchNumber = 0

    /// The selection and scroll position before the user started typing search text, or nil if the
    /// search prompt is closed.
    var searchOrigin: Origin?

    init() {}

    /// Creates the state for another feed.
    ///
    /// The request numbers continue from the earlier state, so late results for the previous feed
    /// are ignored.
    init(after other: FindingState) {
        arrangementNumber = other.arrangementNumber + 1
        searchNumber = other.searchNumber + 1
        shuffleCount = other.shuffleCount
    }

    /// Whether the items are still being filtered or sorted.
    var isArranging: Bool { waitingTicks != nil }

    /// Whether a filter is set or is being typed.
    var isFiltering: Bool { !filterText.isEmpty || !arrangement.filter.isEmpty }

    /// Sets the text of the filter, and returns whether the filter has changed.
    ///
    /// If the text contains an invalid value, the filter does not change. An unknown field name
    /// followed by a colon is ignored.
    mutating func filter(by text: String, _ fields: FilterFields) -> Bool {
        filterText = text
        let (query, problems) = FilterQuery.parse(text, fields)
        guard problems.allSatisfy(\.isUnknownField), query != arrangement.filter else {
            return false
        }
        arrangement.filter = query
        return true
    }

    /// Sorts the items by `key`.
    ///
    /// The seed of a random order is shown to the user, who can enter it to repeat the order. If
    /// `seed` is nil, each random order is different.
    mutating func sort(
        by key: SortKey,
        sampleCount: Int?,
        seed: UInt64?,
        shuffleSeed: UInt64
    ) -> Notice {
        arrangement.key = key
        arrangement.isReversed = false
        arrangement.sampleCount = sampleCount
        guard key == .random else { return Notice(key.said) }
        if seed == nil { shuffleCount += 1 }
        arrangement.seed = seed ?? (shuffleSeed &+ shuffleCount) % Self.shuffleLimit
        return Notice(key.said + ", seed \(arrangement.seed)")
    }

    /// The upper limit for generated seeds, which keeps them short enough to type.
    private static let shuffleLimit: UInt64 = 1_000_000

    mutating func reverseOrder() -> Notice {
        arrangement.isReversed.toggle()
        return Notice(
            arrangement.isReversed ? "in reverse order" : "\(arrangement.key.said) again"
        )
    }

    /// Returns the effect that filters and sorts the items.
    ///
    /// `known` contains the item properties that are not in the feed.
    mutating func arrange(_ known: KnownItems) -> [Effect] {
        arrangementNumber += 1
        waitingTicks = 0
        return [.finding(.arrange(arrangement, known: known, number: arrangementNumber))]
    }

    /// Marks the request with this number as completed.
    ///
    /// Returns false if there is a newer request.
    mutating func endArranging(_ number: Int) -> Bool {
        guard number == arrangementNumber else { return false }
        waitingTicks = nil
        return true
    }

    /// Invalidates the results of pending requests because the feed has changed.
    mutating func discardResults() {
        arrangementNumber += 1
        searchNumber += 1
        waitingTicks = nil
    }

    /// Handles a tick of 100 ms.
    ///
    /// Returns a message when the current request has taken about one second.
    mutating func tick(feedCount: Int) -> Notice? {
        guard let ticks = waitingTicks else { return nil }
        waitingTicks = ticks + 1
        return ticks == 10 ? Notice("sorting \(feedCount) images") : nil
    }
}

extension SortKey {
    /// The message shown after the items are sorted in this order.
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

    /// The keys and names of the orders offered after the user presses `S`.
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
