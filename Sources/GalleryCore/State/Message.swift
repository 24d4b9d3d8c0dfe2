public import Decoders
public import ImageLoading

/// Everything that can happen to the gallery.
public enum Message: Sendable {
    /// The person did something at the terminal.
    case input(InputEvent)
    /// The screen has this size (also sent once at the start).
    case resize(ScreenSize)
    /// The terminal can show this, as it has told meanwhile.
    case capabilities(ScreenCapabilities)
    /// The configuration was read again.
    case settings(GallerySettings)
    /// The feed arrived, or could not be read (one line that says why).
    case feed(Result<Feed, FeedError>)
    /// The feed that is shown has changed: the same items at the same indices, of which these are
    /// others now, and perhaps more.
    case feedChanged(Feed, items: [Int] = [])
    /// The feed that is shown was read again.
    case reloaded(FeedReload)
    /// The items that nobody has looked at yet, of ranges of the feed of which that is known.
    case unread([Int], of: [Range<Int>])
    /// The feed that comes next is to open at this item, where the person was the last time.
    case resume(item: Int)
    /// An event of the load bound to a slot of the cell pool. The program drops late ones
    /// (generation check in `ImageBinding`) before they become messages.
    case slot(Int, LoadEvent)
    /// An event of the detail view's load.
    case detail(LoadEvent)
    /// An event of the load of all its pixels, which `Effect.loadFullSize` asked for.
    case detailFullSize(LoadEvent)
    /// What a slot shows of this item is to be made anew.
    case reload(item: Int)
    /// The cells that `Effect.renderDetail` asked for, with the viewport that they show.
    case detailRendered(CellImage, DetailViewport)
    /// The next frame of an item that plays.
    case frame(PixelBuffer, item: Int)
    /// What is to be shown, as `Effect.arrange` with this number asked for.
    case arranged(ItemOrder, number: Int)
    /// Where a text is, as `Effect.find` with this number asked for.
    case found(SearchAnswer, number: Int)
    /// Fresh counters.
    case statistics(LoadingStatistics)
    /// How fast the screen follows, and what it holds.
    case screenStatistics(ScreenStatistics)
    /// How prefetching goes.
    case prefetch(PrefetchStatistics)
    /// The paths that begin as `Effect.completePath` asked; folders end in a slash.
    case pathCompletions([String], of: String)
    /// It is time to ask the servers again for what is on the screen.
    case refreshDue
    /// It is time to ask the server whether this address has another picture.
    case changeExpected(url: String)
    /// The newest events of the engine, as many as `GalleryState.wantedEventCount`, and the time of
    /// the first that there ever was.
    case trace([TraceEvent], since: Duration)
    /// The frame timer ticked; runs only while `GalleryState.needsTicks`.
    case tick
    /// Something was done that the person asked for, or is not as it should be; the text goes into
    /// the status bar.
    case notice(String, Notice.Kind = .note)
    /// What files and caches say of an item.
    case information(PictureInformation, item: Int)
    /// The files of these items are in the trash.
    case trashed([Int])
    /// A decision could not be written down, and why.
    case labelNotKept(LabelDecision, String)
}

/// What the gallery wants done; the program carries it out.
public enum Effect: Equatable, Sendable {
    /// Load an item's thumbnail into a slot; cancels what the slot loaded before.
    /// `retrying` ignores remembered failures, `refreshing` the caches.
    case bind(slot: Int, item: Int, targetSize: PixelSize, retrying: Bool, refreshing: Bool)
    /// Cancel the slot's load: its cell left the screen.
    case unbind(slot: Int)
    /// Prefetch these, in place of what was to be prefetched before; nil for nothing.
    /// While paused, only what is under way already goes on.
    case prefetch(PrefetchRequest?)
    /// Load this item as it will be opened next, and nothing else so; nil for none.
    case prefetchOpen(item: Int?)
    /// Start no prefetch for the moment.
    case pausePrefetch
    /// Go on prefetching.
    case resumePrefetch
    /// Load an item at the size of the detail view; cancels the previous such load.
    case openDetail(item: Int, refreshing: Bool)
    /// Load the item of the detail view with all its pixels beside.
    case loadFullSize(item: Int)
    /// Leave the detail view: cancel its loads.
    case closeDetail
    /// Render the detail view's image off the UI thread.
    case renderDetail(PixelBuffer, DetailViewport)
    /// Work out what is to be shown, off the UI thread; replaces what was asked for before.
    case arrange(ItemArrangement, known: KnownItems, number: Int)
    /// Look for a text, off the UI thread; replaces what was asked for before.
    case find(SearchRequest, number: Int)
    /// Read another feed, named as on the command line, and show it.
    case openFeed(String)
    /// Find out which paths begin so, of files or folders.
    case completePath(String)
    /// Read the feed that is shown again; quietly if nobody has asked for it just now.
    case reloadFeed(isQuiet: Bool)
    /// Keep for the next time that items were looked at, or are as if nobody had.
    case keepReading(read: [Int], unread: [Int])
    /// Read another page of the feed, and show its pictures behind those that are there.
    case readPage(FeedPage)
    /// Send `Message.changeExpected` for this address after this time.
    case expectChange(url: String, after: Duration)
    /// Empty the memory cache.
    case clearMemoryCache
    /// Empty the disk cache.
    case clearDiskCache
    /// Delete expired files, then the oldest over budget.
    case cleanDiskCache
    /// Cancel every load.
    case cancelAll
    /// Start no transfer for the moment; what runs ends.
    case pauseLoading
    /// Go on with the transfers.
    case resumeLoading
    /// Keep the width of tiles that the person chose for the next time; nil to forget it.
    case rememberTileWidth(Int?)
    /// Look up what files and caches say of an item.
    case readInformation(item: Int)
    /// Hand pictures to something outside the gallery.
    case outside(OutsideRequest)
    /// Write a label down, or that there is none any more.
    case keepLabel(LabelDecision)
    /// Repaint everything, in case something else wrote to the terminal.
    case redraw
    /// Stop the process as Ctrl-Z does.
    case suspend
    /// Leave the program.
    case quit
    /// Leave it with these items picked.
    case finish(picking: [Int])
}

/// How a command gets the names of files.
public enum NamePassing: Hashable, Sendable {
    /// As its arguments.
    case arguments
    /// As lines on its standard input.
    case lines
    /// On its standard input, with a zero behind each: names may have line breaks in them.
    case zeroEnded
}

/// What something outside the gallery is to do with pictures.
public enum OutsideRequest: Equatable, Sendable {
    /// Show an item in another program.
    case open(item: Int)
    /// Save items as files in the current folder.
    case save(items: [Int])
    /// Run a command on items.
    case run(command: String, items: [Int], names: NamePassing)
    /// Write the addresses and captions of items down as a feed.
    case write(file: String, ItemOrder, overwrites: Bool)
    /// Move the files of items to the trash.
    case trash(items: [Int])
    /// Move them back to where they were.
    case putBack(items: [Int])
    /// Bring text to the clipboard of the terminal.
    case copy(String)
}
