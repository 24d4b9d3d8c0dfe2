import GalleryCore

/// Numbers ncurses' colour pairs.
///
/// Pure: says which pair to set; the painter sets it.
///
/// ncurses 6.4's own allocation never reuses a pair, whatever its manual says, and then fails
/// for ever. Here the table is emptied when it is full. A table with room for chosen colours alone
/// (64 pairs for 8 colours) gives up the terminal's default colours next to a chosen one, and then
/// can't get full.
struct ColorPairs {
    /// Foreground and background as ncurses counts them, -1 for the default.
    struct Colors: Hashable {
        var foreground: Int
        var background: Int
    }

    /// What to do for a pair of colours.
    enum Answer: Equatable {
        /// Use this pair.
        case known(Int)
        /// Set this pair, then use it.
        case set(Int)
        /// No room: empty the table on both sides and begin the frame again.
        case full
    }

    private let colorCount: Int
    private let capacity: Int
    private let hasDefault: Bool
    private var pairs: [Colors: Int] = [:]

    /// Counts as `start_color` gives them.
    init(colorCount: Int, pairCount: Int, hasDefault: Bool) {
        self.colorCount = max(1, colorCount)
        // Pair 0 is fixed; past 32,767 a pair no longer fits the `short` of older calls.
        capacity = min(pairCount, 32_768) - 1
        self.hasDefault = hasDefault
    }

    /// The pair for colours that were fitted before.
    mutating func pair(for colors: Colors) -> Answer {
        if colors == Colors(foreground: -1, background: -1) { return .known(0) }
        if let known = pairs[colors] { return .known(known) }
        guard pairs.count < capacity else { return .full }
        let number = pairs.count + 1
        pairs[colors] = number
        return .set(number)
    }

    /// Forgets every pair.
    mutating func removeAll() {
        pairs.removeAll()
    }

    /// The colours as this terminal can have them in one pair.
    func fitted(_ colors: Colors) -> Colors {
        // Each colour and the default with each, but for the two defaults, which are pair 0.
        let all = (colorCount + 1) * (colorCount + 1) - 1
        let isSmall = capacity < all && capacity < 4096
        var fitted = Colors(
            foreground: colors.foreground < colorCount ? colors.foreground : colors.foreground % 8,
            background: colors.background < colorCount ? colors.background : colors.background % 8
        )
        let isMixed = (fitted.foreground < 0) != (fitted.background < 0)
        if !hasDefault || isSmall && isMixed {
            if fitted.foreground < 0 { fitted.foreground = Self.white }
            if fitted.background < 0 { fitted.background = Self.black }
        }
        let isPlain = fitted == Colors(foreground: Self.white, background: Self.black)
        return isPlain && (isSmall || !hasDefault)
            ? Colors(foreground: -1, background: -1) : fitted
    }

    private static let white = 7
    private static let black = 0
}
