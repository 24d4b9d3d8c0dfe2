import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

// The screen first, then what it will show next.
@Suite struct PrefetchPlannerTests {
    /// Eight cells of four columns on 80 by 24.
    private var gallery = Gallery()

    /// Answers everything that is bound.
    @discardableResult
    private mutating func loadScreen() -> [Effect] {
        gallery.state.pool.slots.indices.flatMap {
            gallery.send(.slot($0, .image(.plain(1, 1), .network)))
        }
    }

    private func prefetch(_ soon: some Sequence<Int>, _ later: some Sequence<Int> = []) -> Effect {
        .prefetch(
            .load(
                PrefetchRequest(
                    soon: Array(soon),
                    later: Array(later),
                    targetSize: PixelSize(width: 17, height: 16)
                )
            )
        )
    }

    @Test mutating func `after a rest with all cells loaded, the next screen is loaded`() {
        #expect(loadScreen().isEmpty)
        #expect(gallery.state.needsTicks)
        #expect(gallery.send(.tick).isEmpty)

        #expect(gallery.send(.tick) == [prefetch(8..<16)])
        #expect(!gallery.state.needsTicks)
        #expect(gallery.send(.tick).isEmpty)
    }

    @Test mutating func `nothing is prefetched while a visible cell waits`() {
        #expect(gallery.send(.tick, .tick, .tick).isEmpty)
        for slot in 0..<7 { gallery.send(.slot(slot, .image(.plain(1, 1), .network))) }
        #expect(gallery.send(.tick).isEmpty)

        // A failed cell waits for nothing.
        #expect(gallery.send(.slot(7, .failed(.notFound))) == [prefetch(8..<16)])
    }

    @Test mutating func `holding a key down only postpones prefetching`() {
        loadScreen()
        var effects: [Effect] = []
        for _ in 0..<20 {
            effects += gallery.send(.input(.mouse(.wheelDown)), .tick)
            effects += loadScreen()
        }

        #expect(effects.compactMap(\.boundItem).count == 80)
        #expect(!effects.contains { if case .prefetch(.load) = $0 { true } else { false } })
        // 20 rows are ten screens: two more than the next are wanted.
        #expect(gallery.send(.tick) == [prefetch(88..<96, 96..<100)])
    }

    @Test mutating func `scrolling on pauses, drops passed items, and a rest continues with more`()
    {
        loadScreen()
        gallery.send(.tick, .tick)

        let effects = gallery.send(.input(.mouse(.wheelDown)))
        #expect(effects.suffix(2) == [.prefetch(.pause), prefetch(12..<16)])
        loadScreen()

        #expect(gallery.send(.tick, .tick) == [prefetch(12..<20), .prefetch(.resume)])
    }

    @Test mutating func `paging beyond the prefetched items cancels them`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press(.pageDown).suffix(2) == [.prefetch(.pause), .prefetch(.load(nil))])
    }

    @Test
    mutating func `a visible cell that loads again pauses prefetching, and its end resumes it`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press("R").last == .prefetch(.pause))

        #expect(loadScreen() == [.prefetch(.resume)])
    }

    @Test mutating func `a pause of loading pauses prefetching, too`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press("z") == [.loading(.pause), .prefetch(.pause)])
        gallery.send(.input(.mouse(.wheelDown)))
        loadScreen()
        #expect(gallery.send(.tick, .tick).isEmpty)

        #expect(gallery.press("z") == [.loading(.resume), prefetch(12..<20), .prefetch(.resume)])
    }

    @Test mutating func `turning back immediately cancels the items that are now behind`() {
        gallery.press(.pageDown)
        loadScreen()
        gallery.send(.tick, .tick)

        let effects = gallery.send(.input(.mouse(.wheelUp)))

        #expect(effects.contains(.prefetch(.load(nil))))
        loadScreen()
        #expect(gallery.send(.tick, .tick) == [prefetch((0..<4).reversed()), .prefetch(.resume)])
    }

    @Test mutating func `at the end of the feed nothing is prefetched`() {
        gallery.press(.end)
        loadScreen()

        #expect(gallery.send(.tick, .tick).isEmpty)
    }

    @Test mutating func `X stops prefetching until the next movement`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press("X") == [.loading(.cancelAll)])
        #expect(gallery.send(.tick, .tick).isEmpty)

        gallery.send(.input(.mouse(.wheelDown)))
        loadScreen()
        #expect(gallery.send(.tick, .tick) == [prefetch(12..<20)])
    }

    // C2
    @Test mutating func `while memory is short nothing is prefetched, and then it continues`() {
        loadScreen()
        gallery.send(.tick, .tick)
        var figures = LoadingStatistics()

        figures.memoryStage = .restrained
        #expect(gallery.send(.statistics(.loading(figures))) == [.prefetch(.load(nil))])
        gallery.send(.input(.mouse(.wheelDown)))
        loadScreen()
        #expect(gallery.send(.tick, .tick).isEmpty)

        figures.memoryStage = .dropped
        #expect(gallery.send(.statistics(.loading(figures))) == [prefetch(12..<20)])
    }

    @Test mutating func `another feed and other cells cancel earlier requests`() {
        loadScreen()
        gallery.send(.tick, .tick)

        let feed = Feed(items: [FeedItem(url: "http://h/x")], title: "other")
        #expect(gallery.send(.feed(.success(feed))).contains(.prefetch(.load(nil))))
    }

    @Test mutating func `another cell size prefetches at that size`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press("]").contains(.prefetch(.load(nil))))
        loadScreen()

        let requests = gallery.send(.tick, .tick)
        guard case .prefetch(.load(let request?))? = requests.first else {
            Issue.record("nothing is prefetched: \(requests)")
            return
        }
        #expect(request.targetSize == gallery.state.targetSize)
        #expect(request.targetSize != PixelSize(width: 17, height: 16))
    }

    @Test func `without prefetching there are no requests and no ticks`() {
        var state = GalleryState(
            capabilities: .color,
            settings: GallerySettings(prefetches: false)
        )
        let items = (0..<100).map { FeedItem(url: "http://h/\($0)") }

        var effects = state.update(.resize(ScreenSize(columns: 80, rows: 24)))
        effects += state.update(.feed(.success(Feed(items: items, title: "f"))))
        for slot in 0..<8 { effects += state.update(.slot(slot, .image(.plain(1, 1), .disk))) }
        effects += state.update(.tick) + state.update(.tick) + state.update(.tick)

        #expect(effects.allSatisfy { $0.boundItem != nil })
        #expect(!state.needsTicks)
    }

    @Test mutating func `the statistics panel shows the number of prefetched images`() {
        gallery.press("s")

        #expect(gallery.lines.contains { $0.contains("prefetched") })
    }
}
