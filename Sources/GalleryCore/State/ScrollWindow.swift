internal import Feeds

/// The position and the movement of the screen in the feed, which predict what becomes visible
/// next.
///
/// The direction is that of the last movement, and the pace is the length of the last burst of
/// movements. A user who scrolls row by row needs the next screen; a user who scrolls by pages
/// needs more. Nothing is predicted in the opposite direction, because it was visible recently and
/// is in the caches.
struct ScrollWindow: Equatable, Sendable {
    /// The predicted items, nearest first.
    struct Upcoming: Equatable, Sendable {
        /// The next screen in the direction.
        var soon: [Int] = []
        /// The items beyond it, for fast movement.
        var later: [Int] = []

        var isEmpty: Bool { soon.isEmpty && later.isEmpty }
    }

    /// The maximum number of screens beyond the next one: the screen in between must be loaded
    /// first, and the others may never be reached.
    private static let mostScreensBeyond = 2

    private(set) var visible = 0..<0
    private var goesForward = true
    /// The number of items passed in the current burst, and in the previous one.
    private var traveled = 0
    private var pace = 0

    /// Sets the visible items, and returns whether they have changed.
    mutating func move(to newVisible: Range<Int>) -> Bool {
        guard newVisible != visible else { return false }
        let shift = newVisible.lowerBound - visible.lowerBound
        visible = newVisible
        guard shift != 0 else { return true }  // another number of cells
        let turns = (shift > 0) != goesForward
        goesForward = shift > 0
        traveled = turns ? abs(shift) : traveled + abs(shift)
        return true
    }

    /// Returns whether an item may still become visible: it is neither visible, nor passed, nor in
    /// the opposite direction.
    func isUpcoming(_ item: Int) -> Bool {
        goesForward ? item >= visible.upperBound : item < visible.lowerBound
    }

    /// Ends a burst of movements.
    mutating func rest() {
        pace = traveled
        traveled = 0
    }

    /// Returns the predicted items in a feed of this length.
    func upcoming(of itemCount: Int) -> Upcoming {
        let screen = visible.count
        let screensBeyond = screen > 0 ? min(pace / screen, Self.mostScreensBeyond) : 0
        return Upcoming(
            soon: items(from: 0, count: screen, of: itemCount),
            later: items(from: screen, count: screensBeyond * screen, of: itemCount)
        )
    }

    /// Returns items at a distance from the edge of the screen, in the direction of movement.
    private func items(from distance: Int, count: Int, of itemCount: Int) -> [Int] {
        if goesForward {
            let start = min(visible.upperBound + distance, itemCount)
            return Array(start..<min(start + count, itemCount))
        }
        let end = max(0, visible.lowerBound - distance)
        return Array((max(0, end - count)..<end).reversed())
    }
}
