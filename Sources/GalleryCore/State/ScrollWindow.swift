/// Where the screen is in the feed and where it is going: says what will be visible next.
///
/// The direction is that of the last movement; the pace is how far the last burst of movements
/// went. One who reads row by row needs the next screen; one who pages through needs more, sooner.
/// Behind the direction nothing is foretold: it was on the screen a moment ago, and the caches have
/// it.
struct ScrollWindow: Equatable, Sendable {
    /// What comes next, nearest first.
    struct Upcoming: Equatable, Sendable {
        /// The next screen in the direction.
        var soon: [Int] = []
        /// What lies beyond, for one who moves fast.
        var later: [Int] = []

        var isEmpty: Bool { soon.isEmpty && later.isEmpty }
    }

    /// However fast one pages, so many screens beyond the next are enough: the screen in between
    /// is still to be loaded, and may never be reached.
    private static let mostScreensBeyond = 2

    private(set) var visible = 0..<0
    private var goesForward = true
    /// Items passed in the present burst, and in the one that ended at the last rest.
    private var travelled = 0
    private var pace = 0

    /// Takes the items that are on the screen now; returns whether they are others than before.
    mutating func move(to newVisible: Range<Int>) -> Bool {
        guard newVisible != visible else { return false }
        let shift = newVisible.lowerBound - visible.lowerBound
        visible = newVisible
        guard shift != 0 else { return true }  // another number of cells
        let turns = (shift > 0) != goesForward
        goesForward = shift > 0
        travelled = turns ? abs(shift) : travelled + abs(shift)
        return true
    }

    /// Whether an item is still to come: neither on the screen, nor passed, nor left behind by a
    /// turn.
    func isUpcoming(_ item: Int) -> Bool {
        goesForward ? item >= visible.upperBound : item < visible.lowerBound
    }

    /// Ends a burst of movements.
    mutating func rest() {
        pace = travelled
        travelled = 0
    }

    /// What comes next in a feed of so many items.
    func upcoming(of itemCount: Int) -> Upcoming {
        let screen = visible.count
        let screensBeyond = screen > 0 ? min(pace / screen, Self.mostScreensBeyond) : 0
        return Upcoming(
            soon: items(from: 0, count: screen, of: itemCount),
            later: items(from: screen, count: screensBeyond * screen, of: itemCount)
        )
    }

    /// Items that begin so far off the screen's edge, going away from it.
    private func items(from distance: Int, count: Int, of itemCount: Int) -> [Int] {
        if goesForward {
            let start = min(visible.upperBound + distance, itemCount)
            return Array(start..<min(start + count, itemCount))
        }
        let end = max(0, visible.lowerBound - distance)
        return Array((max(0, end - count)..<end).reversed())
    }
}
