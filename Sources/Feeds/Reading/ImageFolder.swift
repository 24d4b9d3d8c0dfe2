internal import ImageLoading
internal import SystemSupport

/// The folder that contains the only image named by the user.
///
/// The user can move from this image to the other images in the folder.
package struct ImageFolder: Sendable {
    /// The source with which the folder can be read again.
    package let source: FeedSource
    /// The reader of the folder; it includes hidden images if the named image is hidden.
    package let reader: FeedReader
    private let image: Feed

    /// Creates the folder of the image file that `sources` name.
    ///
    /// `feed` is the feed that `reader` has read from the sources. Returns nil if the sources are
    /// several files, or if the only source is not an image file.
    package init?(of feed: Feed, readFrom sources: [FeedSource], by reader: FeedReader) {
        guard sources.count == 1, case .path(let path)? = sources.first, feed.count == 1,
            feed[0].url == FeedItem(filePath: FileText.bytes(of: AbsolutePath.of(path))).url
        else { return nil }
        // The path is searched for bytes, because a slash with a combining accent is one character.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
        source = folder.map(FeedSource.path) ?? .currentFolder
        // The same URL and title as in the folder's feed, where the image is recognized by them.
        let file = AbsolutePath.of(folder ?? AbsolutePath.currentDirectory) + "/" + name
        let item = FeedItem(filePath: FileText.bytes(of: file))
        image = Feed(items: [item], title: source.name)
        var reader = reader
        if name.hasPrefix(".") { reader.options.includesHidden = true }
        self.reader = reader
    }

    /// Reads the folder, and returns its images as a feed that starts at the named image.
    ///
    /// If the folder can't be read, returns the named image alone, with the reason as a remark.
    /// Blocks.
    package func read() -> Feed {
        do throws(FeedError) {
            var feed = try reader.read(source)
            let url = image[0].url
            feed.startItem = (0..<feed.count).first { feed[$0].url == url }
            return feed.startItem == nil ? image : feed
        } catch {
            var alone = image
            alone.remark = "only this image: \(error.description)"
            return alone
        }
    }

    /// Reads the folder on its own thread.
    ///
    /// Returns the folder's images if they are found within `limit`. Otherwise, returns the named
    /// image alone, and calls `onEnd` with the change after the images have been found.
    package func read(
        within limit: Duration,
        otherwise onEnd: @escaping @Sendable (FeedReload) -> Void
    ) -> Feed {
        let progress = Monitor(Progress.reading)
        let isStarted = POSIXThread.startDetached(name: "folder") {
            let feed = read()
            let isLate = progress.withLock(waking: .one) { progress in
                if case .late = progress { return true }
                progress = .read(feed)
                return false
            }
            guard isLate else { return }
            let change = FeedReload.Change(from: image, to: feed)
            onEnd(FeedReload(change: change, isQuiet: true, addsNewItems: false))
        }
        guard isStarted else { return read() }
        let end = ContinuousClock.now + limit
        return progress.wait { progress -> Monitor<Progress>.Attempt<Feed> in
            if case .read(let feed) = progress { return .over(feed) }
            let rest = ContinuousClock.now.duration(to: end)
            guard rest <= .zero else { return .again(within: rest) }
            progress = .late
            var alone = image
            alone.isBeingRead = true
            alone.isOpen = true
            return .over(alone)
        }
    }

    private enum Progress: Sendable {
        case reading
        case read(Feed)
        /// The named image is shown alone until the folder has been read.
        case late
    }
}
