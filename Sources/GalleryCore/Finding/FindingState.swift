/// Searching, filtering and sorting: what is asked for, and what of it is shown.
struct FindingState: Equatable, Sendable {
    /// What is shown, or will be once it is worked out.
    var arrangement = ItemArrangement()
    /// The text of the filter, as it was typed.
    var filterText = ""
    /// The number of the request that counts; answers to earlier ones are dropped.
    var arrangementNumber = 0
    /// Whether an answer is still to come, and for how many ticks.
    var waitingTicks: Int?
    /// Another random order for each time one is asked for.
    var shuffleCount: UInt64 = 0

    var search: Search?
    var searchNumber = 0

    /// Where one was before a text was typed; nil unless one is being typed.
    var searchOrigin: Origin?

    /// A text that is looked for.
    struct Search: Equatable, Sendable {
        var needle: TextNeedle
        /// Where it was found; nil until all is known.
        var positions: [UInt32]?
        /// From which position on the first match is to be selected; nil to stay.
        var jumpsFrom: Int?
    }

    init() {}

    /// For another feed: answers to earlier requests still have numbers of their own.
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
    /// What is said when the pictures come in this order.
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

    /// What the row that `S` opens offers.
    static let row = [SortKey.name, .date, .size, .dimensions, .host, .random]
        .map { (key: String($0.letter), does: $0.rawValue) }

    /// The key in the row that `S` opens.
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
