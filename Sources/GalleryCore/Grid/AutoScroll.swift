/// The state of automatic scrolling.
///
/// It scrolls down to the end of the list and then back up.
struct AutoScroll: Equatable, Sendable {
    private let ticksPerRow: Int
    private var ticks = 0
    private var step = 1

    init(ticksPerRow: Int) {
        self.ticksPerRow = ticksPerRow
    }

    /// Handles a tick, and returns the new top row.
    mutating func tick(topRow: Int, lastTopRow: Int) -> Int {
        ticks += 1
        guard ticks >= ticksPerRow else { return topRow }
        ticks = 0
        if topRow + step > lastTopRow { step = -1 }
        if topRow + step < 0 { step = 1 }
        return max(0, min(lastTopRow, topRow + step))
    }
}
