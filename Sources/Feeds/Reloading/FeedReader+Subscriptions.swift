import ImageLoading

/// Methods that read several feeds in parallel.
extension FeedReader {
    private static let mostAtOnce = 6

    /// Reads all sources and returns their feeds in order; subscribed feeds are read in parallel.
    ///
    /// `instead` returns a replacement for a source that can't be read. Without a replacement, the
    /// error is thrown.
    package func readAll(
        _ sources: [FeedSource],
        instead: (FeedSource, FeedError) -> Feed? = { _, _ in nil }
    ) throws(FeedError) -> [Feed] {
        var feeds: [Int: Feed] = [:]
        readKnown(sources) { feeds[$0] = $1 }
        for (index, source) in sources.enumerated() where feeds[index] == nil {
            do throws(FeedError) {
                feeds[index] = try read(source)
            } catch {
                guard let feed = instead(source, error) else { throw error }
                feeds[index] = feed
            }
        }
        return sources.indices.compactMap { feeds[$0] }
    }

    /// Reads the subscribed feeds among the sources in parallel, if there are at least two.
    ///
    /// `tell` receives each feed as soon as it is available, with the index of its source.
    package func readKnown(_ sources: [FeedSource], _ tell: (Int, Feed) -> Void) {
        let known = sources.enumerated().filter { $0.element.isSubscription }
        guard known.count > 1 else { return }
        let pool = WorkerPool(
            name: "feeds",
            threadCount: min(known.count, Self.mostAtOnce),
            order: .oldestFirst
        )
        let answers = BlockingQueue<(Int, Feed?)>()
        for (index, source) in known {
            pool.submit(priority: .high) { answers.put((index, try? read(source))) }
        }
        for _ in known {
            let (index, feed) = answers.take()
            if let feed { tell(index, feed) }
        }
    }

    /// Reads a subscribed feed.
    ///
    /// If the feed can't be read, returns its previous state or, if it has never been read, a feed
    /// with one item that shows the reason.
    package func subscription(_ source: FeedSource, title: String) -> Feed {
        do throws(FeedError) {
            return try read(source)
        } catch {
            if let feed = known.keep(source, because: error) { return feed }
            let item = FeedItem(url: source.name, caption: title, problem: error.description)
            return Feed(items: [item], title: source.name)
        }
    }
}

extension FeedSource {
    fileprivate var isSubscription: Bool {
        if case .subscription = self { true } else { false }
    }
}
