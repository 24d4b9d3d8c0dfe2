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
    /// The feed has changed: items keep their indices, the given items have new content, and more
    /// items may follow.
    case feedChanged(Feed, items: [Int] = [])
    /// The feed was read again.
    case reloaded(FeedReload)
    /// The unseen items in the ranges of the feed whose reading state is known.
    case unread([Int], of: [Range<Int>])
    /// The item to select in the next feed, stored by the previous session.
    case resume(item: Int)
    /// An event from the load that is bound to a slot of the cell pool. The generation check in
    /// `ImageBinding` discards late events before they become messages.
    case slot(Int, LoadEvent)
    /// An event of a load that continues without a cell.
    case kept(load: Int, LoadEvent)
    /// An event that changes the image view.
    case detail(DetailMessage)
    /// The image of this item must be reloaded.
    case reload(item: Int)
    /// The next frame of an animation.
    case frame(PixelBuffer, item: Int)
    /// The files at these URLs have changed since they were loaded.
    case filesChanged([String])
    /// The file at this URL, whose image was incomplete, must be checked again.
    case fileCheckDue(url: String)
    /// The result of filtering, sorting or searching.
    case finding(FindingMessage)
    /// New counters for the statistics.
    case statistics(StatisticsMessage)
    /// The paths that `Effect.completePath` requested; folders end with a slash.
    case pathCompletions([String], of: String)
    /// The visible images are due for a refresh.
    case refreshDue
    /// The image at this URL may have changed.
    case changeExpected(url: String)
    /// The newest events from the engine, at most `GalleryState.wantedEventCount`, and the time of
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
    /// Prefetch images.
    case prefetch(PrefetchEffect)
    /// Load or render the image of the image view.
    case detail(DetailEffect)
    /// Filter, sort or search off the UI thread.
    case finding(FindingEffect)
    /// Read the feed or other feeds, or save which items were seen.
    case feed(FeedEffect)
    /// Find the paths of files or folders that start with this text.
    case completePath(String)
    /// Send `Message.changeExpected` for this URL after the given time.
    case expectChange(url: String, after: Duration)
    /// Find out whether local files have changed.
    case files(FileEffect)
    /// Remove files or images from a cache.
    case cache(CacheEffect)
    /// Pause, resume or cancel all loads.
    case loading(LoadingEffect)
    /// Save the tile width that the user has chosen, or remove it if the width is nil.
    case rememberTileWidth(Int?)
    /// Look up the details of an item in files and caches.
    case readInformation(item: Int)
    /// Pass images to another program, a file, the trash or the clipboard.
    case external(ExternalRequest)
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

/// A request to find out whether local files have changed since they were loaded.
package enum FileEffect: Equatable, Sendable {
    /// Check all files that were loaded.
    case checkAll
    /// Check a file whose image is incomplete.
    case check(url: String)
    /// Send `Message.fileCheckDue` for an incomplete image later, unless its file has not been
    /// written for a long time.
    case checkLater(url: String)
}

/// A request to remove entries from a cache.
package enum CacheEffect: Equatable, Sendable {
    /// Clear the memory cache.
    case clearMemory
    /// Clear the disk cache.
    case clearDisk
    /// Delete expired files from the disk cache and, if the cache exceeds its limit, the least
    /// recently used files until less than half of the limit is used.
    case cleanDisk
}
