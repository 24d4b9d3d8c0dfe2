import ImageLoading
import Testing
import VirtualTerminal

@testable import GalleryCore

/// Cells whose server is away.
@Suite struct WaitingCellTests {
    @Test func `a cell that waits for its server shows why, and continues with the response`() {
        var gallery = Gallery()
        let away = ImageLoadingError.transfer(.noConnection)

        _ = gallery.send(.slot(0, .waiting(away)))

        #expect(gallery.state.pool.slots[0].load.isPending)
        #expect(gallery.state.pool.slots[0].load.failure?.reason == "connection refused")
        #expect(gallery.state.pool.slots[0].load.failure?.advice == "waiting for the server")
        #expect(gallery.state.pool.failedItems.isEmpty)
        _ = gallery.send(.slot(0, .progress(LoadProgress(received: 1, expected: 2))))
        #expect(gallery.state.pool.slots[0].load.failure == nil)
    }

    @Test func `r immediately asks the server of a waiting cell`() {
        var gallery = Gallery()
        _ = gallery.send(.slot(0, .waiting(.transfer(.noConnection))))

        let effects = gallery.press("r")

        #expect(effects.compactMap(\.slot) == [0])
    }

    @Test func `cells that wait for a server do not delay prefetching`() {
        var gallery = Gallery()
        for slot in gallery.state.pool.slots.indices {
            _ = gallery.send(.slot(slot, .waiting(.transfer(.noConnection))))
        }

        #expect(!gallery.state.pool.isWaiting)
    }
}
