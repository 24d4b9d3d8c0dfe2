/// Assigns ncurses pair numbers to pairs of foreground and background colors.
///
/// This type has no side effects: it returns the pair to set, and the painter sets it.
///
/// Contrary to its manual, ncurses 6.4 never reuses a pair. Once its table is full, it fails
/// forever. Therefore, this table is emptied when it is full. A small table (64 pairs for 8 colors)
/// has no space for pairs of an explicit color and the terminal's default color. In such a pair,
/// the default color is replaced with white or black, so a small table never becomes full.
struct ColorPairs {
    /// The ncurses numbers of a foreground and a background color; -1 is the default color.
    package struct Colors: Hashable {
        package var foreground: Int
        package var background: Int
    }

    /// The action required before a pair of colors can be used.
    package enum Answer: Equatable {
        /// Use this pair, which is already set.
        case known(Int)
        /// Set this pair, then use it.
        case set(Int)
        /// The table is full: empty this table and ncurses' table, and draw the frame again.
        case full
    }

    private let colorCount: Int
    private let capacity: Int
    private let hasDefault: Bool
    private var pairs: [Colors: Int] = [:]

    /// Creates an empty table for the numbers of colors and pairs reported by ncurses.
    init(colorCount: Int, pairCount: Int, hasDefault: Bool) {
        self.colorCount = max(1, colorCount)
        // Pair 0 is fixed. Pairs above 32,767 don't fit in the `short` of older ncurses functions.
        capacity = min(pairCount, 32_768) - 1
        self.hasDefault = hasDefault
    }

    /// Returns the pair for colors returned by `fitted(_:)`, or `full` if no pair is free.
    package mutating func pair(for colors: Colors) -> Answer {
        if colors == Colors(foreground: -1, background: -1) { return .known(0) }
        if let known = pairs[colors] { return .known(known) }
        guard pairs.count < capacity else { return .full }
        let number = pairs.count + 1
        pairs[colors] = number
        return .set(number)
    }

    package mutating func removeAll() {
        pairs.removeAll()
    }

    /// Returns the closest colors that ncurses can show as one pair on this terminal.
    package func fitted(_ colors: Colors) -> Colors {
        // All combinations of the colors and the default color, except the default color on itself,
        // which is pair 0.
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
