import Decoders
import TerminalUI
import Testing

@testable import GalleryCore

@Suite struct TraceStateTests {
    private func grid(rows: Int) -> GridLayout {
        GridLayout(
            screen: ScreenSize(columns: 80, rows: rows),
            cellPixels: PixelSize(width: 8, height: 16),
            itemCount: 100,
            sizedFor: 100
        )
    }

    @Test func `an open trace takes rows from a tall grid, and covers a low one`() {
        var trace = TraceState()
        #expect(trace.takeRoom(from: grid(rows: 40)) == grid(rows: 40))
        #expect(!trace.isPage(isImageOpen: true))
        trace.toggle()
        let rest = trace.takeRoom(from: grid(rows: 40))
        #expect(rest.rows < grid(rows: 40).rows)
        #expect(trace.row == rest.firstFreeRow)
        #expect(!trace.isPage(isImageOpen: false))
        #expect(trace.isPage(isImageOpen: true))

        #expect(trace.takeRoom(from: grid(rows: 8)) == grid(rows: 8))
        #expect(trace.isPage(isImageOpen: false))
    }

    @Test func `events disappear when the trace is closed`() {
        var trace = TraceState()
        trace.toggle()
        trace.take([], since: .seconds(3))
        #expect(trace.start == .seconds(3))
        trace.toggle()
        #expect(!trace.isShown && trace.events.isEmpty)
    }
}
