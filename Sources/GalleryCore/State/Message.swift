package import Decoders
package import Feeds
package import ImageLoading
package import TerminalUI

/// An event that the gallery handles.
package enum Message: Sendable {
    /// Input from the terminal.
    case input(InputEvent)
    /// The screen has this size. The message is also sent once at the start.
    case resize(ScreenSize)
    /// The terminal has reported its capabilities.
    case capabilities(ScreenCapabilities)
    /// The configuration was read again.
    case settings(GallerySettings)
    /// The feed arrived, or could not be read.
    case feed(Result<Feed, FeedError>)
    /// The feed has changed: items keep their indices, the items listed here have new content, and
    /// more items may follow.
    case feedChanged(Feed, items: [Int] = [])
    /// The feed was read again.
    case reloaded(FeedReload)
    /// The unseen items in the ranges of the feed whose reading state is known.
    case unread([Int], of: [Range<Int>])
    /// The item to select in the next feed, stored by the previous session.
    case resume(item: Int)
    /// An event of the load that is bound to a slot of the cell pool. The generation check in
    /// `ImageBinding` discards late events before they become messages.
    case slot(Int, LoadEvent)
    /// An event of the image view's load.
    case detail(LoadEvent)
    /// An event of the load at full size that `Effect.loadFullSize` requested.
    case detailFullSize(LoadEvent)
    /// The image of this item must be reloaded.
    case reload(item: Int)
    /// The cells that `Effect.renderDetail` requested, with their viewport.
    case detailRendered(CellImage, DetailViewport)
    /// The next frame of an animation.
    case frame(PixelBuffer, item: Int)
    /// The order that `Effect.arrange` with this number requested.
    case arranged(ItemOrder, number: Int)
    /// The result of the search that `Effect.find` with this number requested.
    case found(SearchAnswer, number: Int)
    /// New counters for the statistics.
    case statistics(StatisticsMessage)
    /// The paths that `Effect.completePath` requested; folders end with a slash.
    case pathCompletions([String], of: String)
    /// The visible images are due for a refresh.
    case refreshDue
    /// The image at this URL may have changed.
    case changeExpected(url: String)
    /// The newest events of the engine, at most `GalleryState.wantedEventCount`, and the time of
    /// the first event ever recorded.
    case trace([TraceEvent], since: Duration)
    /// A tick of the frame timer, which runs only while `GalleryState.needsTicks` is true.
    case tick
    /// A message for the status bar, about a completed action or a problem.
    case notice(String, Notice.Kind = .note)
    /// The details of an item from files and caches.
    case information(PictureInformation, item: Int)
    /// The files of these items were moved to the trash.
    case trashed([Int])
    /// A label could not be saved, for the given reason.
    case labelNotKept(LabelDecision, String)
}

/// An action that the gallery requests from the program.
package enum Effect: Equatable, Sendable {
    /// Load an item's thumbnail into a slot, and cancel the slot's previous load.
    ///
    /// `retrying` ignores remembered failures, and `refreshing` ignores the caches.
    case bind(slot: Int, item: Int, targetSize: PixelSize, retrying: Bool, refreshing: Bool)
    /// Cancel the slot's load, because its cell left the screen.
    case unbind(slot: Int)
    /// Prefetch these items instead of the previous ones, or none if the request is nil.
    ///
    /// While prefetching is paused, only running loads continue.
    case prefetch(PrefetchRequest?)
    /// Prefetch this item at the size of the image view, or no item if `item` is nil.
    case prefetchOpen(item: Int?)
    /// Pause prefetching; no new prefetch starts.
    case pausePrefetch
    /// Resume prefetching.
    case resumePrefetch
    /// Load an item at the size of the image view, and cancel the previous load of the image view.
    case openDetail(item: Int, refreshing: Bool)
    /// Also load the item of the image view at full size.
    case loadFullSize(item: Int)
    /// Close the image view, and cancel its loads.
    case closeDetail
    /// Render the image of the image view off the UI thread.
    case renderDetail(PixelBuffer, DetailViewport)
    /// Compute the visible items off the UI thread; the request replaces the previous one.
    case arrange(ItemArrangement, known: KnownItems, number: Int)
    /// Search for a text off the UI thread; the request replaces the previous one.
    case find(SearchRequest, number: Int)
    /// Open another feed, specified as on the command line.
    case openFeed(String)
    /// Find the paths of files or folders that start with this text.
    case completePath(String)
    /// Read the feed again; `isQuiet` is true if the user did not request it.
    case reloadFeed(isQuiet: Bool)
    /// Save which items were seen, and which items are unseen again.
    case keepReading(read: [Int], unread: [Int])
    /// Read another page of the feed, and append its images.
    case readPage(FeedPage)
    /// Send `Message.changeExpected` for this URL after the given time.
    case expectChange(url: String, after: Duration)
    /// Clear the memory cache.
    case clearMemoryCache
    /// Clear the disk cache.
    case clearDiskCache
    /// Delete expired files from the disk cache, then the oldest files until it is within its
    /// limit.
    case cleanDiskCache
    /// Cancel all loads.
    case cancelAll
    /// Pause loading: no new transfer starts, and running transfers continue.
    case pauseLoading
    /// Resume loading: transfers start again.
    case resumeLoading
    /// Save the tile width that the user has chosen, or remove it if the width is nil.
    case rememberTileWidth(Int?)
    /// Look up the details of an item in files and caches.
    case readInformation(item: Int)
    /// Pass images to another program, a file, the trash or the clipboard.
    case outside(OutsideRequest)
    /// Save a label, or its removal.
    case keepLabel(LabelDecision)
    /// Repaint the whole screen, in case another program wrote to the terminal.
    case redraw
    /// Suspend the process, as Ctrl-Z does.
    case suspend
    /// Quit the program.
    case quit
    /// Quit the program, and report these items.
    case finish(picking: [Int])
}

/// How a command receives file names.
package enum NamePassing: Hashable, Sendable {
    /// As arguments.
    case arguments
    /// As lines on standard input.
    case lines
    /// On standard input, each followed by a NUL byte, because names may contain line breaks.
    case zeroEnded
}

/// An action on images outside the gallery.
package enum OutsideRequest: Equatable, Sendable {
    /// Open an item in another program.
    case open(item: Int)
    /// Save items as files in the current folder.
    case save(items: [Int])
    /// Run a command on items.
    case run(command: String, items: [Int], names: NamePassing)
    /// Write the URLs and captions of items to a feed.
    case write(file: String, ItemOrder, overwrites: Bool)
    /// Move the files of items to the trash.
    case trash(items: [Int])
    /// Restore the files of items from the trash.
    case putBack(items: [Int])
    /// Copy text to the clipboard of the terminal.
    case copy(String)
}
