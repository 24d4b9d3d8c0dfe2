import Testing

@testable import Feeds
@testable import GalleryCore

@Suite struct ScrollWindowTests {
    private var window = ScrollWindow()

    /// Moves a screen of 10 items so that it begins at each of these.
    @discardableResult
    private mutating func move(_ starts: Int...) -> Bool {
        starts.map { window.move(to: $0..<$0 + 10) }.last ?? false
    }

    private func upcoming(of count: Int = 100) -> ScrollWindow.Upcoming {
        window.upcoming(of: count)
    }

    @Test mutating func `at first only the next screen is expected, nearest first`() {
        move(0)

        #expect(upcoming().soon == Array(10..<20))
        #expect(upcoming().later.isEmpty)
    }

    @Test mutating func `scrolling up expects the screen above, nearest first`() {
        move(50, 45)
        window.rest()

        #expect(upcoming().soon == (35..<45).reversed())
    }

    @Test(arguments: [(5, 0), (10, 10), (20, 20), (70, 20)])
    mutating func `the longer the last burst, the more is prefetched`(
        distance: Int,
        later: Int
    ) {
        move(0, distance)
        window.rest()

        #expect(upcoming(of: 1000).later == Array(distance + 20..<distance + 20 + later))
    }

    @Test mutating func `a pause ends the burst`() {
        move(0, 20)
        window.rest()
        move(25)
        window.rest()

        #expect(upcoming().later.isEmpty)
    }

    @Test mutating func `nothing is expected beyond the ends of the feed`() {
        move(0, 20)
        window.rest()
        #expect(upcoming(of: 33).soon == [30, 31, 32])
        #expect(upcoming(of: 33).later.isEmpty)
        #expect(upcoming(of: 30).isEmpty)

        move(3)
        window.rest()
        #expect(upcoming().soon == [2, 1, 0])
        #expect(upcoming().later.isEmpty)
    }

    @Test mutating func `an empty screen and an empty feed expect nothing`() {
        #expect(upcoming().isEmpty)
        #expect(window.upcoming(of: 0).isEmpty)
    }

    @Test mutating func `visible, passed and opposite items are not ahead`() {
        move(20, 30)
        #expect(!window.isUpcoming(29) && !window.isUpcoming(39) && window.isUpcoming(40))

        move(25)
        #expect(window.isUpcoming(24) && !window.isUpcoming(25) && !window.isUpcoming(35))
    }

    @Test mutating func `the same position is no movement, and another number of cells is no turn`()
    {
        move(0, 10)
        let moved = window.move(to: 10..<20)
        let resized = window.move(to: 10..<40)

        #expect(!moved && resized)
        #expect(upcoming().soon == Array(40..<70))
    }
}
