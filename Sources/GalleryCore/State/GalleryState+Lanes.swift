internal import Feeds
internal import ImageLoading
import TerminalUI

/// Members for the lanes, which show running and cancelled loads below the grid.
extension GalleryState {
    /// Updates the lanes after a message is handled, and returns the effects in the order of
    /// execution.
    ///
    /// If a cell has left the screen, the next frame shows its load as cancelled and no longer
    /// shows the cell. `topRow` is the first visible row before the message was handled.
    mutating func followLanes(_ effects: [Effect], from topRow: Int) -> [Effect] {
        let before = lanes.transfers.cancelledCount
        var all: [Effect] = []
        for effect in effects {
            switch effect {
            // The loads for a cover send no events to the lanes, so their lanes would never end.
            case .bind(let slot, let item, _, _, _) where isFolder(item):
                all += lanes.unbind(slot: slot)
            case .bind(let slot, let item, _, _, _):
                if let feedItem = currentFeed?[item] {
                    trace.note(url: feedItem.url, caption: feedItem.caption)
                    all += lanes.bind(
                        slot: slot,
                        url: feedItem.url,
                        caption: feedItem.caption,
                        byteCount: settings.lanes.byteCounts[item]
                    )
                }
            case .unbind(let slot): all += lanes.unbind(slot: slot)
            case .cache(.clearDisk): lanes.forgetCached()
            default: break
            }
            all.append(effect)
        }
        if grid.topRow != topRow {
            let count = lanes.transfers.cancelledCount - before
            lanes.noteScroll(cancelling: count, at: grid.topRow > topRow ? .top : .bottom)
        }
        return all
    }

    mutating func toggleLanes() -> [Effect] {
        lanes.toggle()
        if lanes.isShown, laneRows == 0 {
            notice = Notice("this window is too small for the lanes")
        } else if detail != nil || showsPage {
            notice = Notice(lanes.isShown ? "lanes on" : "lanes off")
        }
        return settle()
    }

    mutating func toggleCancelling() -> [Effect] {
        lanes.endStory()
        let effects = lanes.toggleCancelling()
        let hint = keys.hint(.toggleCancelling, "turns it on")
        notice =
            lanes.cancels
            ? Notice("cancellation on")
            : Notice("cancellation off" + hint, .warning)
        return effects
    }

    // MARK: The story of the demo

    /// Whether the demonstration of cancellation is running.
    ///
    /// It pauses while a prompt, a page or an image is open.
    var tellsStory: Bool {
        lanes.story != nil && prompt.overlay == nil && detail == nil && !showsPage
            && grid.layout.lastTopRow > 0
    }

    /// Starts or stops the demonstration of cancellation.
    ///
    /// Returns nil if the gallery was not started with this demonstration.
    mutating func toggleStory() -> [Effect]? {
        guard settings.lanes.tellsStory else { return nil }
        let effects = lanes.toggleStory()
        let stopHint = keys.hint(.toggleAutoScroll, "stops it")
        notice = Notice(lanes.story == nil ? "auto-scroll off" : "auto-scroll on" + stopHint)
        return effects
    }

    /// Handles a tick of the demonstration of cancellation.
    mutating func tickStory() -> [Effect] {
        let (row, effects) = lanes.tickStory(
            topRow: grid.topRow,
            lastTopRow: grid.layout.lastTopRow,
            isMissing: cursorImage.state == .missing
        )
        return effects + (row == grid.topRow ? [] : scroll(rows: row - grid.topRow))
    }

    /// Whether a load is cancelled when its cell leaves the screen.
    package var cancelsLoads: Bool { lanes.cancels }

    /// The number of rows that the lanes occupy at the bottom of the screen.
    var laneRows: Int {
        lanes.isShown ? LaneArea.rows(on: screen, slots: lanes.transfers.lanes.count) : 0
    }

    /// Whether the lanes are turned on and are not covered by a page or an open image.
    var showsLanes: Bool { laneRows > 0 && detail == nil && !showsPage }

    /// The number of bytes that were not downloaded because loads were cancelled or a part of the
    /// image was sufficient.
    ///
    /// The sizes are normally reported by the servers. If a load is cancelled earlier, its size is
    /// counted only if it is known in advance, as in the demo.
    var notDownloadedByteCount: Int {
        let statistics = statistics.loading
        return statistics.bytesSaved + statistics.bytesNotNeeded
            + lanes.transfers.unannouncedByteCount
    }

    /// The state of the image under the cursor, used to measure the wait after scrolling.
    package var cursorImage: CursorImage {
        var image = CursorImage(scrollCount: lanes.scrollCount, cancels: lanes.cancels)
        guard detail == nil, let item = selectedItem, let slot = pool.slot(ofItem: item) else {
            return image
        }
        if slot.cellImage != nil {
            image.state = .shown
        } else if slot.load.isPending {
            image.state = .missing
        }
        return image
    }
}
