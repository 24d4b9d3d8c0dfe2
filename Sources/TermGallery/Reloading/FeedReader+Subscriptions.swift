import GalleryCore
import ImageLoading

/// Many feeds, read at once.
extension FeedReader {
    private static let mostAtOnce = 6

    /// Reads all sources, in their order; known feeds several at once.
    ///
    /// `instead` gives what stands in for one that can't be read; without it that ends all.
    func readAll(
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

    /// Reads the known feeds among some sources, several at once; tells of each as it is there.
    func readKnown(_ sources: [FeedSource], _ tell: (Int, Feed) -> Void) {
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

    /// A known feed; one that can't be read is as it was, or else a picture that says why.
    func subscription(_ source: FeedSource, title: String) -> Feed {
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
