import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct TraceViewTests {
    private func event(_ milliseconds: Int, _ kind: TraceEvent.Kind) -> TraceEvent {
        TraceEvent(
            time: .seconds(100) + .milliseconds(milliseconds),
            subject: "https://example.org/a/gorge-with-waterfall-0231.jpg?key=1",
            kind: kind
        )
    }

    private func gallery(columns: Int, rows: Int, _ events: [TraceEvent] = []) -> Gallery {
        var gallery = Gallery(columns: columns, rows: rows, tileWidth: nil)
        gallery.press("t")
        gallery.send(.trace(events, since: .seconds(100)))
        return gallery
    }

    @Test func `the trace takes whole rows of tiles at the bottom, the newest event last`() throws {
        let events = [
            event(12_402, .started(resumedFrom: 65_536)),
            event(12_418, .firstByte(status: 200, expected: 412_000)),
            event(12_611, .stored(.disk, byteCount: 412_000)),
            event(12_640, .cancelled(savedByteCount: 143_000)),
            event(12_701, .failed(.notFound)),
        ]
        let gallery = gallery(columns: 120, rows: 40, events)
        let lines = gallery.lines

        let row = try #require(gallery.state.trace.row)
        #expect(
            lines[row].hasPrefix(" Trace") && lines[row].hasSuffix("e only cancelled  t closes")
        )
        #expect(lines[38].hasPrefix("  12.701  ✗ failed       gorge-with-waterfall-0231.jpg"))
        #expect(lines[38].contains("404 not found"))
        #expect(lines[37].contains("– cancelled") && lines[37].contains("143 kB saved"))
        #expect(lines[36].contains("■ stored") && lines[36].contains("412 kB"))
        #expect(lines[35].contains("↓ first_byte") && lines[35].contains("200, 412 kB announced"))
        #expect(lines[34].contains("↓ started") && lines[34].contains("from byte 65,536"))
        #expect(lines[34].firstRange(of: "from")?.lowerBound.utf16Offset(in: lines[34]) == 60)
        #expect(!lines.joined().contains("key=1"))
        #expect(38 - row >= TraceView.leastRows - 1)
    }

    @Test func `e shows only cancelled loads, then only failed loads, then all again`() {
        let events = [
            event(1, .started(resumedFrom: 0)), event(2, .cancelled(savedByteCount: 9_000)),
            event(3, .failed(.notFound)), event(4, .missed),
        ]
        var gallery = gallery(columns: 120, rows: 40, events)
        for (title, shown) in [("cancelled", 2), ("failed", 3)] {
            gallery.press("e")
            #expect(gallery.state.wantedEventCount == .max)
            gallery.send(.trace(events, since: .zero))
            #expect(gallery.state.trace.events == [events[shown - 1]])
            #expect(gallery.lines.contains { $0.hasPrefix(" Trace, only \(title)") })
        }
        gallery.press("e")
        gallery.send(.trace(events, since: .zero))
        #expect(gallery.state.trace.events == events)
    }

    @Test func `the trace names images by their captions, and colors cancelled and failed loads`()
        throws
    {
        var gallery = Gallery(columns: 120, rows: 40, tileWidth: nil)
        gallery.press("t")
        let kinds: [TraceEvent.Kind] = [.cancelled(savedByteCount: 9_000), .failed(.notFound)]
        let events = kinds.enumerated().map { index, kind in
            TraceEvent(time: .zero, subject: "http://h/\(index).jpg", kind: kind)
        }
        gallery.send(.trace(events, since: .zero))

        let frame = gallery.state.frame()
        for (row, tone) in [(37, Theme.Tone.warning), (38, .failure)] {
            #expect(gallery.lines[row].contains("Picture \(row - 37)"))
            let style = gallery.state.theme.style(tone, on: .card)
            #expect(frame[row, 12].foreground == style.foreground)
        }
    }

    @Test func `the captions of the newest loads are kept`() {
        var trace = TraceState()
        for number in 0...1_000 { trace.note(url: "\(number)", caption: "caption \(number)") }

        #expect([1, 999, 1_000].allSatisfy { trace.caption(of: "\($0)") == "caption \($0)" })
    }

    @Test func `the tiles above keep their size, and return when it closes`() {
        for size in [ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 200, rows: 60)] {
            var gallery = Gallery(columns: size.columns, rows: size.rows, tileWidth: nil)
            let (before, items) = (gallery.state.grid.layout, gallery.state.visibleItems)
            gallery.press("t")
            #expect(gallery.state.grid.layout.imageBox == before.imageBox)
            #expect(gallery.state.grid.layout.rows < before.rows)
            #expect(gallery.state.visibleItems.count < items.count)
            gallery.press(.escape)
            #expect(gallery.state.grid.layout == before && gallery.state.visibleItems == items)
        }
    }

    @Test func `if no row of tiles would remain, the trace is a page`() {
        var gallery = gallery(columns: 40, rows: 12, [event(1, .missed)])

        #expect(gallery.state.isTracePage)
        #expect(gallery.lines[10].contains("0.001  · missed"))
        #expect(gallery.lines[11].contains("Trace"))
        gallery.press("t")
        #expect(!gallery.state.isTracePage && !gallery.lines.joined().contains("Trace"))
    }

    @Test func `the selected image stays on the screen, and so does the trace next to statistics`()
    {
        var gallery = Gallery(columns: 160, rows: 50, tileWidth: nil)
        gallery.press("G")
        gallery.press("t")
        #expect(gallery.state.visibleItems.contains(99))
        gallery.press("s")
        let (row, column) = (gallery.state.trace.row ?? 0, gallery.state.panels.column ?? 0)
        #expect(row > 0 && column > 0)
        #expect(
            gallery.lines[row].contains(" Trace") && gallery.lines.joined().contains("Statistics")
        )
    }

    @Test func `a hidden trace requests nothing, and a visible one as many events as fit`() {
        var gallery = Gallery(columns: 120, rows: 40, tileWidth: nil)
        #expect(gallery.state.wantedEventCount == 0)
        gallery.press("t")
        #expect(gallery.state.wantedEventCount >= TraceView.leastRows - 1)
        gallery.press("?")
        #expect(gallery.state.wantedEventCount == 0)
    }

    @Test func `events of every kind can be drawn in every window`() {
        let kinds: [TraceEvent.Kind] = [
            .queued(.high), .coalesced, .hit(.memory), .missed, .started(resumedFrom: 0),
            .firstByte(status: 200, expected: nil),
            .progress(LoadProgress(received: 5, expected: 9)),
            .notModified, .decoded(.milliseconds(5)), .stored(.memory, byteCount: 1),
            .retried(attempt: 2, pause: .seconds(1)), .detached, .cancelled(savedByteCount: 0),
            .stoppedEarly(savedByteCount: 9), .succeeded(.network), .failed(.notFound),
            .evicted(.disk, count: 1, byteCount: 5),
            .purged(.memory, byteCount: 5, reason: "\u{1B}[2J"),
            .hostAvailability(isAvailable: false),
        ]
        let events =
            kinds.map { event(1, $0) }
            + [TraceEvent(time: .zero, subject: nil, kind: .missed)]
        for (columns, rows) in [(20, 5), (30, 8), (60, 14), (80, 24), (200, 60)] {
            let lines = gallery(columns: columns, rows: rows, events).lines
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
        }
    }
}
