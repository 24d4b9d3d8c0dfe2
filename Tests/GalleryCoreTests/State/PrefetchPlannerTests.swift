import Decoders
import ImageLoading
import Testing

@testable import GalleryCore

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
            PrefetchRequest(
                soon: Array(soon),
                later: Array(later),
                targetSize: PixelSize(width: 17, height: 16)
            )
        )
    }

    @Test mutating func `after a rest and everything visible, the next screen is loaded`() {
        #expect(loadScreen().isEmpty)
        #expect(gallery.state.needsTicks)
        #expect(gallery.send(.tick).isEmpty)

        #expect(gallery.send(.tick) == [prefetch(8..<16)])
        #expect(!gallery.state.needsTicks)
        #expect(gallery.send(.tick).isEmpty)
    }

    @Test mutating func `while a visible cell waits nothing is prefetched`() {
        #expect(gallery.send(.tick, .tick, .tick).isEmpty)
        for slot in 0..<7 { gallery.send(.slot(slot, .image(.plain(1, 1), .network))) }
        #expect(gallery.send(.tick).isEmpty)

        // A failed cell waits for nothing.
        #expect(gallery.send(.slot(7, .failed(.notFound))) == [prefetch(8..<16)])
    }

    @Test mutating func `a held key starts no storm: each step only puts the rest off`() {
        loadScreen()
        var effects: [Effect] = []
        for _ in 0..<20 {
            effects += gallery.send(.input(.mouse(.wheelDown)), .tick)
            effects += loadScreen()
        }

        #expect(effects.compactMap(\.boundItem).count == 80)
        #expect(!effects.contains { if case .prefetch = $0 { true } else { false } })
        // 20 rows are ten screens: two more than the next are wanted.
        #expect(gallery.send(.tick) == [prefetch(88..<96, 96..<100)])
    }

    @Test mutating func `scrolling on pauses, drops what was passed, and a rest goes on with more`()
    {
        loadScreen()
        gallery.send(.tick, .tick)

        let effects = gallery.send(.input(.mouse(.wheelDown)))
        #expect(effects.suffix(2) == [.pausePrefetch, prefetch(12..<16)])
        loadScreen()

        #expect(gallery.send(.tick, .tick) == [prefetch(12..<20), .resumePrefetch])
    }

    @Test mutating func `paging past what is prefetched cancels it`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press(.pageDown).suffix(2) == [.pausePrefetch, .prefetch(nil)])
    }

    @Test mutating func `a visible cell that is asked for again pauses, its end resumes`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press("R").last == .pausePrefetch)

        #expect(loadScreen() == [.resumePrefetch])
    }

    @Test mutating func `a pause of loading holds for prefetching, too`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press("z") == [.pauseLoading, .pausePrefetch])
        gallery.send(.input(.mouse(.wheelDown)))
        loadScreen()
        #expect(gallery.send(.tick, .tick).isEmpty)

        #expect(gallery.press("z") == [.resumeLoading, prefetch(12..<20), .resumePrefetch])
    }

    @Test mutating func `turning cancels what is now behind at once`() {
        gallery.press(.pageDown)
        loadScreen()
        gallery.send(.tick, .tick)

        let effects = gallery.send(.input(.mouse(.wheelUp)))

        #expect(effects.contains(.prefetch(nil)))
        loadScreen()
        #expect(gallery.send(.tick, .tick) == [prefetch((0..<4).reversed()), .resumePrefetch])
    }

    @Test mutating func `at the end of the feed nothing is ahead`() {
        gallery.press(.end)
        loadScreen()

        #expect(gallery.send(.tick, .tick).isEmpty)
    }

    @Test mutating func `X stops prefetching until the next movement`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press("X") == [.cancelAll])
        #expect(gallery.send(.tick, .tick).isEmpty)

        gallery.send(.input(.mouse(.wheelDown)))
        loadScreen()
        #expect(gallery.send(.tick, .tick) == [prefetch(12..<20)])
    }

    // C2
    @Test mutating func `while memory is short nothing is prefetched, and then it goes on`() {
        loadScreen()
        gallery.send(.tick, .tick)
        var figures = LoadingStatistics()

        figures.memoryStage = .restrained
        #expect(gallery.send(.statistics(figures)) == [.prefetch(nil)])
        gallery.send(.input(.mouse(.wheelDown)))
        loadScreen()
        #expect(gallery.send(.tick, .tick).isEmpty)

        figures.memoryStage = .dropped
        #expect(gallery.send(.statistics(figures)) == [prefetch(12..<20)])
    }

    @Test mutating func `another feed and other cells make what was requested useless`() {
        loadScreen()
        gallery.send(.tick, .tick)

        let feed = Feed(items: [FeedItem(url: "http://h/x")], title: "other")
        #expect(gallery.send(.feed(.success(feed))).contains(.prefetch(nil)))
    }

    @Test mutating func `another cell size prefetches at that size`() {
        loadScreen()
        gallery.send(.tick, .tick)

        #expect(gallery.press("]").contains(.prefetch(nil)))
        loadScreen()

        let requests = gallery.send(.tick, .tick)
        guard case .prefetch(let request?)? = requests.first else {
            Issue.record("nothing is prefetched: \(requests)")
            return
        }
        #expect(request.targetSize == gallery.state.targetSize)
        #expect(request.targetSize != PixelSize(width: 17, height: 16))
    }

    @Test func `who doesn't want it gets nothing, and no ticks`() {
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

    @Test mutating func `the statistics panel says how much was prefetched`() {
        gallery.press("s")

        #expect(gallery.lines.contains { $0.contains("prefetched") })
    }
}
