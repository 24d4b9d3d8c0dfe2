internal import ImageLoading
internal import SystemSupport

/// The folder that contains the only image specified by the user, for browsing its other images.
package struct ImageFolder: Sendable {
    /// The source for reading the folder again.
    package let source: FeedSource
    /// The reader of the folder; it includes hidden images if the named image is hidden.
    package let reader: FeedReader
    private let image: Feed

    /// Creates the folder of the image file that is the only source.
    ///
    /// `feed` is the feed that `reader` has read from the sources. Returns nil unless `sources`
    /// contains only an image file.
    package init?(of feed: Feed, readFrom sources: [FeedSource], by reader: FeedReader) {
        guard sources.count == 1, case .path(let path)? = sources.first, feed.count == 1 else {
            return nil
        }
        let file = AbsolutePath.of(path)
        guard feed[0].url == FeedItem(filePath: FileText.bytes(of: file)).url else { return nil }
        source = .path(AbsolutePath.directory(of: file))
        // The image is recognized by its URL and the title of its feed.
        image = Feed(items: [feed[0]], title: source.name)
        var reader = reader
        if !FolderPictures.isShown(AbsolutePath.name(of: file), includesHidden: false) {
            reader.options.includesHidden = true
        }
        self.reader = reader
    }

    /// Reads the folder and returns its images as a feed that starts at the named image.
    ///
    /// If the folder can't be read, returns the named image alone, with the reason as a remark. The
    /// method blocks.
    package func read() -> Feed {
        do throws(FeedError) {
            var feed = try reader.read(source)
            let url = image[0].url
            feed.folder?.hasOpenParent = true
            feed.startItem = (0..<feed.count).first { feed[$0].url == url }
            return feed.startItem == nil ? image : feed
        } catch {
            var alone = image
            alone.remark = "only this image: \(error.description)"
            return alone
        }
    }

    /// Reads the folder on a separate thread and calls `onRead` before returning.
    ///
    /// If the folder's images are found within `limit`, they are passed to `onRead`. Otherwise,
    /// `onRead` receives the named image alone, and `onChange` later receives the change from this
    /// image to the whole folder. `onChange` is never called before `onRead` has returned.
    package func read(
        within limit: Duration,
        onRead: (Feed) -> Void,
        onChange: @escaping @Sendable (FeedReload) -> Void
    ) {
        let progress = Monitor(Progress.reading)
        let isStarted = POSIXThread.startDetached(name: "folder") {
            let feed = read()
            let isLate = progress.withLock(waking: .one) { progress in
                if case .late = progress { return true }
                progress = .read(feed)
                return false
            }
            if isLate { onChange(change(to: feed)) }
        }
        guard isStarted else { return onRead(read()) }
        let end = ContinuousClock.now + limit
        let found = progress.wait { progress -> Monitor<Progress>.Attempt<Feed?> in
            if case .read(let feed) = progress { return .over(feed) }
            let rest = ContinuousClock.now.duration(to: end)
            return rest > .zero ? .again(within: rest) : .over(nil)
        }
        if let found { return onRead(found) }
        var alone = image
        alone.isBeingRead = true
        alone.isOpen = true
        onRead(alone)
        // The thread may have found the images after the time limit without calling `onChange`.
        let foundSince: Feed? = progress.withLock { progress in
            if case .read(let feed) = progress { return feed }
            progress = .late
            return nil
        }
        if let foundSince { onChange(change(to: foundSince)) }
    }

    private func change(to feed: Feed) -> FeedReload {
        let change = FeedReload.Change(from: image, to: feed)
        return FeedReload(change: change, isQuiet: true, isNews: false)
    }

    private enum Progress: Sendable {
        case reading
        case read(Feed)
        /// The named image is shown alone until the folder has been read.
        case late
    }
}
