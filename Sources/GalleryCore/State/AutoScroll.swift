/// Scrolling with hands off the keyboard: down, and at the end up again.
struct AutoScroll: Equatable, Sendable {
    private let ticksPerRow: Int
    private var ticks = 0
    private var step = 1

    init(ticksPerRow: Int) {
        self.ticksPerRow = ticksPerRow
    }

    /// Counts a tick; returns the top row from then on.
    mutating func tick(topRow: Int, lastTopRow: Int) -> Int {
        ticks += 1
        guard ticks >= ticksPerRow else { return topRow }
        ticks = 0
        if topRow + step > lastTopRow { step = -1 }
        if topRow + step < 0 { step = 1 }
        return max(0, min(lastTopRow, topRow + step))
    }
}
