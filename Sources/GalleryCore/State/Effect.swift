public import Decoders

/// What the gallery wants done; the program carries it out.
public enum Effect: Equatable, Sendable {
    /// Load an item's thumbnail into a slot; cancels what the slot loaded before.
    /// `retrying` ignores remembered failures, `refreshing` the caches.
    case bind(slot: Int, item: Int, targetSize: PixelSize, retrying: Bool, refreshing: Bool)
    /// Cancel the slot's load: its cell left the screen.
    case unbind(slot: Int)
    /// Load these ahead, in place of what was to be loaded ahead before; nil for nothing.
    /// While paused, only what is under way already goes on.
    case loadAhead(AheadWish?)
    /// Begin no load ahead for the moment.
    case pauseAhead
    /// Go on with the loads ahead.
    case resumeAhead
    /// Load an item at full size for the detail view; cancels the previous such load.
    case openDetail(item: Int, refreshing: Bool)
    /// Leave the detail view: cancel its load.
    case closeDetail
    /// Make the detail view's art off the UI thread.
    case renderDetail(PixelBuffer, DetailViewport)
    /// Empty the memory cache (row C19).
    case clearMemoryCache
    /// Empty the disk cache (row C20).
    case clearDiskCache
    /// Delete expired files, then the oldest over budget (rows C21-C25).
    case cleanDiskCache
    /// Cancel every load.
    case cancelAll
    /// Begin no transfer for the moment; what runs ends.
    case pauseLoading
    /// Go on with the transfers.
    case resumeLoading
    /// Repaint everything, in case something else wrote to the terminal.
    case redraw
    /// Stop the process as Ctrl-Z does.
    case suspend
    /// Leave the program.
    case quit
}
