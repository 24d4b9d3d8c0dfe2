package import Decoders
package import Feeds
package import ImageLoading
package import TerminalUI

/// An event that the gallery handles.
package enum Message: Sendable {
    /// Input from the terminal.
    case input(InputEvent)
    /// The size of the screen.
    ///
    /// The message is sent at the start and when the size changes.
    case resize(ScreenSize)
    /// The terminal has reported its capabilities.
    case capabilities(ScreenCapabilities)
    /// The configuration was read again.
    case settings(GallerySettings)
    /// The feed arrived or could not be read.
    case feed(Result<Feed, FeedError>)
    /// The feed has changed, but its items have kept their indices.
    ///
    /// `items` lists the items with new content. New items may have been added at the end.
    case feedChanged(Feed, items: [Int] = [])
    /// The feed was read again.
    case reloaded(FeedReload)
    /// The stored reading state: the unseen items in these ranges of the feed.
    ///
    /// All other items in these ranges have been seen.
    case unread([Int], of: [Range<Int>])
    /// The item to select when the feed opens, which was selected when the user last left the feed.
    case resume(item: Int)
    /// An event from the load of a slot in the cell pool.
    ///
    /// `ImageBinding` discards events that arrive late from earlier loads.
    case slot(Int, LoadEvent)
    /// An event from the loads for the folder in a slot of the cell pool.
    case cover(Int, CoverEvent)
    /// An event from a load that continues although its cell has left the screen.
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
    /// The paths requested by `Effect.completePath`.
    ///
    /// Paths of folders end with a slash.
    case pathCompletions([String], of: String)
    /// The automatic refresh interval has passed, so the visible images must be refreshed.
    case refreshDue
    /// The image at this URL is expected to have changed on its server.
    case changeExpected(url: String)
    /// The newest image load events, and the time of the first recorded event.
    ///
    /// There are at most `GalleryState.wantedEventCount` events.
    case trace([TraceEvent], since: Duration)
    /// A tick of the frame timer.
    ///
    /// The timer runs only while `GalleryState.needsTicks` is true.
    case tick
    /// A message for the status bar about a completed action or a problem.
    case notice(String, Notice.Kind = .note)
    /// The details of an item that were found in files and caches.
    case information(PictureInformation, item: Int)
    /// The files of these items were moved to the trash.
    case trashed([Int])
    /// A label could not be saved for this reason.
    case labelNotKept(LabelDecision, String)
}

/// An action that the gallery requests from the program.
package enum Effect: Equatable, Sendable {
    /// Load an item's thumbnail into a slot, and cancel the slot's previous load.
    ///
    /// If `retrying` is true, remembered failures are ignored. If `refreshing` is true, the caches
    /// are ignored.
    case bind(slot: Int, item: Int, targetSize: PixelSize, retrying: Bool, refreshing: Bool)
    /// Cancel the slot's load because its cell has left the screen.
    case unbind(slot: Int)
    /// Prefetch images.
    case prefetch(PrefetchEffect)
    /// Change the image view, for example by loading or rendering its image.
    case detail(DetailEffect)
    /// Filter, sort or search on another thread.
    case finding(FindingEffect)
    /// Read the feed or other feeds, or save which items the user has seen.
    case feed(FeedEffect)
    /// Find the paths of files or folders that start with this text.
    case completePath(String)
    /// Send `Message.changeExpected` for this URL after this time.
    case expectChange(url: String, after: Duration)
    /// Check whether local files have changed.
    case files(FileEffect)
    /// Remove files or images from a cache.
    case cache(CacheEffect)
    /// Pause, resume or cancel loads.
    case loading(LoadingEffect)
    /// Save the tile width that the user has chosen, or delete the saved width if it is nil.
    case rememberTileWidth(Int?)
    /// Look up the details of an item in files and caches.
    case readInformation(item: Int)
    /// Pass images to another program, a file, the trash or the clipboard.
    case external(ExternalRequest)
    /// Save a new label, or the removal of a label.
    case keepLabel(LabelDecision)
    /// Redraw the entire screen, in case another program wrote to the terminal.
    case redraw
    /// Suspend the process, as Control-Z does.
    case suspend
    /// Quit the program.
    case quit
    /// Quit the program, and report these items to the program that started it.
    case finish(picking: [Int])
}

/// A request to check whether local files have changed since they were loaded.
package enum FileEffect: Equatable, Sendable {
    /// Check all files that were loaded.
    case checkAll
    /// Check a file whose image is incomplete.
    case check(url: String)
    /// Send `Message.fileCheckDue` later, because the image at this URL is incomplete.
    ///
    /// No message is sent if the file has not changed for a long time.
    case checkLater(url: String)
}

/// A request to remove entries from a cache.
package enum CacheEffect: Equatable, Sendable {
    /// Clear the memory cache.
    case clearMemory
    /// Clear the disk cache.
    case clearDisk
    /// Delete expired files from the disk cache.
    ///
    /// If the cache still exceeds its limit, the least recently used files are deleted until the
    /// cache uses less than half of the limit.
    case cleanDisk
}
