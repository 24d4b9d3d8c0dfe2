import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// A gallery session, from setting up the terminal until restoring it.
///
/// Create the session before starting any thread, because the session blocks signals and threads
/// inherit the signal mask.
struct GallerySession {
    private let signals: SignalInbox
    private let mailbox: Mailbox<GalleryMail>

    init() throws {
        do throws(TerminalError) {
            signals = try SignalInbox()
            mailbox = try Mailbox()
        } catch {
            throw ProgramFailure(.terminalUnavailable, error.description)
        }
    }

    /// Shows the feeds until the user quits, and then restores the terminal.
    ///
    /// Feeds that can be read quickly are read before the gallery takes over the terminal, so a
    /// wrong name is reported without flicker. Feeds from the network and from pipes are read while
    /// the gallery is open.
    func run(
        sources: [FeedSource],
        manager: ImageManager,
        screen: ScreenOverrides,
        options: GalleryOptions
    ) throws {
        var options = options
        if options.remembers {
            options.placeFile = FeedPlaceFile(sources: sources)
            options.readingFolder = .ofUser
        }
        options.settings.take(ProgramConfiguration.current.values, theme: screen.theme)
        options.feed.listsFolders = sources.count == 1 && options.settings.picking == .nothing
        let reader = FeedReader(manager: manager, options: options.feed, stopsAhead: true)
        options.feedOrigin.reader = reader
        options.feedOrigin.sources = sources
        if sources.contains(where: reader.isSlow) {
            let terminal = try takeTerminal(screen)
            let thread = WorkerPool(name: "feed", threadCount: 1)
            thread.submit(priority: .high) { [mailbox] in
                var stream = FeedStream(reader: reader) { mailbox.post(GalleryMail($0)) }
                stream.run(sources)
            }
            try show(on: terminal, manager, options)
        } else {
            let feed: Feed
            do throws(FeedError) {
                feed = try reader.read(sources)
            } catch {
                throw ProgramFailure(.feedUnreadable, error.description)
            }
            if options.opensFolder,
                let folder = ImageFolder(of: feed, readFrom: sources, by: reader)
            {
                options.feedOrigin = FeedOrigin(reader: folder.reader, sources: [folder.source])
                options.placeFile = .none
                open(folder)
            } else {
                mailbox.post(.feed(.success(feed)))
            }
            try show(on: takeTerminal(screen), manager, options)
        }
    }

    /// Posts the images in the folder of the named image.
    ///
    /// If the folder is large or on a slow disk, only the named image is posted at first. The other
    /// images are posted later.
    private func open(_ folder: ImageFolder) {
        folder.read(
            within: .milliseconds(50),
            onRead: { mailbox.post(.feed(.success($0))) },
            onChange: { [mailbox] in mailbox.post(.reloaded($0, number: 0)) }
        )
    }

    /// Shows the images in watched directories, and updates them as files are added and removed.
    func run(
        watching folders: WatchOptions,
        manager: ImageManager,
        screen: ScreenOverrides,
        options: GalleryOptions
    ) throws {
        var options = options
        options.settings.take(ProgramConfiguration.current.values, theme: screen.theme)
        options.feedOrigin.refusal = "watched folders are updated automatically"
        let terminal = try takeTerminal(screen)
        let hasThread = POSIXThread.startDetached(name: "watch") { [mailbox] in
            FolderWatcher(folders, title: folders.title) { event in
                switch event {
                case .pictures(let change):
                    mailbox.post(.feedChanged(change.feed, items: change.items))
                case .notice(let text): mailbox.post(.notice(text))
                }
            }
            .run()
        }
        guard hasThread else {
            terminal.restore()
            throw ProgramFailure(
                .feedUnreadable,
                "cannot start a thread to watch folders; "
                    + "raise the limit on processes (ulimit -u)"
            )
        }
        try show(on: terminal, manager, options)
    }

    private func takeTerminal(_ screen: ScreenOverrides) throws -> CursesTerminal {
        do throws(TerminalError) {
            return try CursesTerminal(
                descriptors: TerminalDescriptors(),
                overrides: screen,
                crashReport: CrashReport(
                    program: "termgallery \(TermGalleryCommand.version)",
                    request: "Please report this line and the steps that led to it (see "
                        + "CONTRIBUTING.md)."
                ),
                onPictureReady: { [mailbox] in mailbox.post(.pictureReady) }
            )
        } catch {
            throw ProgramFailure(.terminalUnavailable, error.description)
        }
    }

    private func show(
        on terminal: CursesTerminal,
        _ manager: ImageManager,
        _ options: GalleryOptions
    ) throws {
        if let interval = options.refreshInterval {
            _ = RefreshClock.start(every: interval, mailbox: mailbox)
        }
        let ending: GalleryProgram.Ending
        do throws(TerminalError) {
            let program = try GalleryProgram(
                terminal: terminal,
                signals: signals,
                manager: manager,
                mailbox: mailbox,
                options: options,
                configurationWatch: ConfigurationWatch(ProgramConfiguration.current)
            )
            ending = program.run()
        } catch {
            terminal.restore()
            throw ProgramFailure(.terminalUnavailable, error.description)
        }
        terminal.restore()
        manager.stopMakingThumbnails()
        // Downloaded images must be on disk before the next run.
        waitFor { await manager.flush() }
        switch ending {
        case .quit: if options.settings.picking != .nothing { throw ProgramFailure(.someFailed) }
        case .picked(let records) where options.printsRecords:
            try PickedPictures.deliver(records: records)
        case .picked(let urls):
            try PickedPictures.deliver(urls, endingWithZero: options.endsNamesWithZero)
        case .failure(let failure): throw failure
        // The process must not end here because the caller still has to clean up.
        case .signal(let signal): throw SignalEnding(signal: signal)
        }
    }
}

/// The options of a gallery.
struct GalleryOptions {
    /// The user's settings for the screen.
    var settings = GallerySettings()
    /// The user's options for feeds.
    var feed = FeedOptions()
    /// The reader and the sources for reading the feed again.
    var feedOrigin = FeedOrigin()
    /// Whether and where images are prefetched.
    var prefetch = GalleryPrefetcher.Mode.memory
    /// Whether cells always show an image decoded from the pixels of the file.
    ///
    /// If false, cells may show the thumbnail that a camera embedded in the file.
    var isExact = false
    /// Whether a single image file is opened together with the other images in its folder.
    var opensFolder = false
    /// The interval at which visible images are revalidated, or nil for no revalidation.
    var refreshInterval: Duration?
    /// Whether a feed opens at the item that was selected when the user last left it.
    var remembers = false
    /// The file that stores the last selected item of the feed.
    var placeFile = FeedPlaceFile.none
    /// The directory with the records of viewed items.
    var readingFolder = ReadingFolder(path: nil)
    /// The most recent image load events, for the trace.
    var recentEvents = RecentEvents()
    /// The file that stores the tile width.
    var tileWidthFile = TileWidthFile(path: nil)
    /// Whether each picked name is followed by a NUL byte instead of a line feed.
    var endsNamesWithZero = false
    /// Whether picked images are printed as JSON objects.
    var printsRecords = false
    /// The file that stores labels, or nil if labels are not saved.
    var labelFile: LabelFile?
}

extension GalleryProgram {
    /// The reason why the gallery ended.
    enum Ending: Equatable {
        /// The user quit.
        case quit
        /// The user picked images and quit.
        ///
        /// The values are the URLs or the JSON records of the images.
        case picked([String])
        /// The process must end with this signal.
        case signal(Int32)
        /// The feed could not be read, so there is nothing to show.
        case failure(ProgramFailure)
    }
}
