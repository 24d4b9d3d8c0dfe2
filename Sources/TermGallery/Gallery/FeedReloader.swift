import Feeds
import GalleryCore
import ImageLoading
import TerminalUI

/// Rereads the current feed on its own thread.
///
/// The new items are matched with the previous items. Use this class on the UI thread only.
final class FeedReloader {
    private let mailbox: Mailbox<GalleryMail>
    private let pool = WorkerPool(name: "reload", threadCount: 1)
    private(set) var reader: FeedReader?
    private var sources: [FeedSource]
    /// The reason why the current feed can't be read again, or nil if it can.
    private var refusal: String?
    /// The number of the current feed, used to ignore results for earlier feeds.
    private var number = 0
    private var isReading = false
    /// A result that can't be shown yet because the open image is missing from it.
    ///
    /// The result is shown after the user closes the image.
    private var waiting: FeedReload?

    init(_ origin: FeedOrigin, mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
        (reader, sources, refusal) = (origin.reader, origin.sources, origin.refusal)
    }

    /// Sets the feed to read in later reloads.
    func use(_ origin: FeedOrigin) {
        (reader, sources, refusal) = (origin.reader, origin.sources, origin.refusal)
        number += 1
        (isReading, waiting) = (false, nil)
    }

    /// Starts reading the feed again, or returns the reason why it can't be read again.
    func reload(_ feed: Feed?, isQuiet: Bool) -> String? {
        if let refusal { return refusal }
        guard let reader, !sources.contains(.standardInput) else {
            return "standard input can only be read once"
        }
        guard let feed, !feed.isBeingRead else { return "the feed is still being read" }
        // Feeds from local files are read again only on request.
        guard !isQuiet || sources.contains(where: reader.isSlow) else { return nil }
        guard !isReading else { return nil }
        isReading = true
        pool.submit(priority: .high) { [mailbox, sources, number] in
            let reload = reader.readAgain(sources, knowing: feed, isQuiet: isQuiet)
            mailbox.post(.reloaded(reload, number: number))
        }
        return nil
    }

    /// Removes the items that later files of their archive replace, if there are any, and posts the
    /// result.
    func removeReplacedItems(of feed: Feed) {
        guard !feed.replacedURLs.isEmpty, !isReading else { return }
        isReading = true
        pool.submit(priority: .high) { [mailbox, number] in
            let change = FeedReload.Change(from: feed, to: feed.withoutReplacedItems())
            let reload = FeedReload(change: change, isQuiet: true, isNews: false)
            mailbox.post(.reloaded(reload, number: number))
        }
    }

    /// Stores a result until it can be shown.
    ///
    /// Returns false if the result is for an earlier feed.
    func take(_ reload: FeedReload, number: Int) -> Bool {
        guard number == self.number else { return false }
        isReading = false
        waiting = reload
        return true
    }

    /// Returns the result that has not been shown yet, or nil if there is none or the open image is
    /// missing from it.
    func takeWaiting(_ state: GalleryState) -> FeedReload? {
        guard let reload = waiting else { return nil }
        if let change = reload.change, state.isLookingAtGone(change.numbers) { return nil }
        waiting = nil
        return reload
    }
}

/// The origin of a feed: the reader and the sources, which are needed to read the feed again.
struct FeedOrigin: Sendable {
    var reader: FeedReader?
    var sources: [FeedSource] = []
    /// The reason why the feed can't be read again, or nil if it can.
    var refusal: String?
}

extension FeedReader {
    /// Reads feeds again.
    ///
    /// If a feed can't be read, its previous items are kept. This method blocks while it reads and
    /// compares up to a million items.
    fileprivate func readAgain(
        _ sources: [FeedSource],
        knowing feed: Feed,
        isQuiet: Bool
    ) -> FeedReload {
        _ = known.takeOutcome()
        let result = readAgain(sources)
        let (hasChanged, faults) = known.takeOutcome()
        switch result {
        case .failure(let error):
            return FeedReload(change: nil, faults: faults + [error.description], isQuiet: isQuiet)
        case .success(let now):
            let change = hasChanged ? FeedReload.Change(from: feed, to: now) : nil
            return FeedReload(change: change, faults: faults, isQuiet: isQuiet)
        }
    }

    private func readAgain(_ sources: [FeedSource]) -> Result<Feed, FeedError> {
        Result { () throws(FeedError) in
            let feeds = try readAll(sources) { known.keep($0, because: $1) }
            return feeds.count == 1 ? feeds[0] : Feed(joining: feeds)
        }
    }
}
