import ImageLoading
import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct RecentEventsTests {
    private func event(_ number: Int, _ kind: TraceEvent.Kind = .missed) -> TraceEvent {
        TraceEvent(time: .seconds(number), subject: "\(number)", kind: kind)
    }

    @Test func `the newest events are kept in order, without progress`() {
        let events = RecentEvents()
        #expect(events.latest(5).events.isEmpty)
        for number in 3..<600 {
            events.record(event(number))
            events.record(event(number, .progress(LoadProgress(received: 1, expected: 2))))
        }

        #expect(events.latest(3).events.map(\.subject) == ["597", "598", "599"])
        #expect(events.latest(10_000).events.count == RecentEvents.capacity)
        #expect(events.latest(10_000).events.first?.subject == "344")
        #expect(events.latest(1).start == .seconds(3))
    }
}
