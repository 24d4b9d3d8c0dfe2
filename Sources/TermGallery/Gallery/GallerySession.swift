import GalleryCore
import Glibc
import ImageLoading

/// A gallery from taking the terminal to giving it back.
///
/// Make it before anything starts a thread: signals are blocked by it, and threads inherit that.
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

    /// Shows the feeds until the person leaves; then the terminal is as it was.
    ///
    /// Feeds that are read fast are read first, so that a wrong name is said without a flicker of
    /// the screen; the network and pipes are waited for with the gallery open.
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
            let feed = Self.result { () throws(FeedError) in try reader.read(sources) }
            if case .failure(let error) = feed {
                throw ProgramFailure(.feedUnreadable, error.description)
            }
            mailbox.post(.feed(feed))
            try show(on: takeTerminal(screen), manager, options)
        }
    }

    /// Shows the pictures of folders, as they come and go.
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
            throw ProgramFailure(.feedUnreadable, "cannot start a thread to watch folders")
        }
        try show(on: terminal, manager, options)
    }

    private static func result(
        _ read: () throws(FeedError) -> Feed
    ) -> Result<Feed, FeedError> {
        do throws(FeedError) {
            return .success(try read())
        } catch {
            return .failure(error)
        }
    }

    private func takeTerminal(_ screen: ScreenOverrides) throws -> CursesTerminal {
        do throws(TerminalError) {
            return try CursesTerminal(
                descriptors: TerminalDescriptors(),
                overrides: screen,
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
        // What was downloaded is to be there next time.
        waitFor { await manager.flush() }
        switch ending {
        case .quit: if options.settings.picking != .nothing { throw ProgramFailure(.someFailed) }
        case .picked(let records) where options.printsRecords:
            try PickedPictures.deliver(records: records)
        case .picked(let urls):
            try PickedPictures.deliver(urls, endingWithZero: options.endsNamesWithZero)
        case .failure(let failure): throw failure
        // Not here: the caller has things to put away.
        case .signal(let signal): throw SignalEnding(signal: signal)
        }
    }
}

/// What the gallery is asked to be like.
struct GalleryOptions {
    /// What the person chose for the screen.
    var settings = GallerySettings()
    /// What the person says of the feeds.
    var feed = FeedOptions()
    /// Where they come from.
    var feedOrigin = FeedOrigin()
    /// What the person chose for the images that are not visible yet.
    var prefetch = GalleryPrefetcher.Mode.memory
    /// Whether cells show the pictures themselves and never a thumbnail that a camera made.
    var isExact = false
    /// How often servers are asked again for what is on the screen; nil for never.
    var refreshInterval: Duration?
    /// Whether a feed opens where the person left it.
    var remembers = false
    /// Where that is kept.
    var placeFile = FeedPlaceFile.none
    /// Where it is kept what was looked at.
    var readingFolder = ReadingFolder(path: nil)
    /// What the engine has done last, for the trace.
    var recentEvents = RecentEvents()
    /// Where the size of the tiles is kept for the next time.
    var tileWidthFile = TileWidthFile(path: nil)
    /// Whether a zero stands behind each name that was picked, and not the end of a line.
    var endsNamesWithZero = false
    /// Whether pictures that were picked are told as objects of JSON.
    var printsRecords = false
    /// Where labels are kept.
    var labelFile: LabelFile?
}

extension GalleryProgram {
    /// How the gallery ended.
    enum Ending: Equatable {
        /// The person left.
        case quit
        /// The person picked the pictures with these URLs, or of which these are the records, and left.
        case picked([String])
        /// A signal that the process must die by.
        case signal(Int32)
        /// There is nothing to show.
        case failure(ProgramFailure)
    }
}
