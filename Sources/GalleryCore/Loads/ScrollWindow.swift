internal import Feeds

/// The position and movement of the screen in the feed, used to predict which items become visible
/// next.
///
/// The direction is the direction of the last movement. The pace is the number of items that the
/// screen passed in the last series of movements. If the user scrolls row by row, only the next
/// screen is predicted. If the user scrolls by pages, further screens are predicted. Nothing is
/// predicted in the opposite direction because those items were visible recently and are in the
/// caches.
struct ScrollWindow: Equatable, Sendable {
    /// The predicted items, nearest first.
    struct Upcoming: Equatable, Sendable {
        /// The items of the next screen in the direction of movement.
        var soon: [Int] = []
        /// The items beyond the next screen, which are predicted if the user scrolls fast.
        var later: [Int] = []

        var isEmpty: Bool { soon.isEmpty && later.isEmpty }
    }

    /// The maximum number of predicted screens beyond the next screen.
    ///
    /// The next screen must be loaded first, and the screens beyond it may never be reached.
    private static let mostScreensBeyond = 2

    private var visible = 0..<0
    private var goesForward = true
    /// The number of items passed in the current series of movements (`traveled`), and in the last
    /// completed series (`pace`).
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

    /// Returns whether an item is off the screen in the direction of movement.
    ///
    /// Such an item may still become visible.
    func isUpcoming(_ item: Int) -> Bool {
        goesForward ? item >= visible.upperBound : item < visible.lowerBound
    }

    /// Ends a series of movements because the user has stopped scrolling.
    mutating func rest() {
        pace = traveled
        traveled = 0
    }

    /// Returns the predicted items in a feed of `itemCount` items.
    func upcoming(of itemCount: Int) -> Upcoming {
        let screen = visible.count
        let screensBeyond = screen > 0 ? min(pace / screen, Self.mostScreensBeyond) : 0
        return Upcoming(
            soon: items(from: 0, count: screen, of: itemCount),
            later: items(from: screen, count: screensBeyond * screen, of: itemCount)
        )
    }

    /// Returns `count` items off the screen in the direction of movement.
    ///
    /// The first item is `distance` items away from the edge of the screen.
    private func items(from distance: Int, count: Int, of itemCount: Int) -> [Int] {
        if goesForward {
            let start = min(visible.upperBound + distance, itemCount)
            return Array(start..<min(start + count, itemCount))
        }
        let end = max(0, visible.lowerBound - distance)
        return Array((max(0, end - count)..<end).reversed())
    }
}
