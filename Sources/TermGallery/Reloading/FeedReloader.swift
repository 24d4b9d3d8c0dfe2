import GalleryCore
import ImageLoading

/// Reads the feed that is shown again, on a thread of its own, and finds out which of its items are
/// those of before.
///
/// Lives on the UI thread.
final class FeedReloader {
    private let mailbox: Mailbox<GalleryMail>
    private let pool = WorkerPool(name: "reload", threadCount: 1)
    private var reader: FeedReader?
    private var sources: [FeedSource]
    /// Why this feed can't be read again; nil if it can.
    private var refusal: String?
    /// Counts the feeds: what comes of an earlier one is dropped.
    private var number = 0
    private var isReading = false
    /// What was read while the picture that is open is gone from it; taken when that is left.
    private var waiting: FeedReload?

    init(_ origin: FeedOrigin, mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
        (reader, sources, refusal) = (origin.reader, origin.sources, origin.refusal)
    }

    /// Another feed is shown from now on.
    func use(_ origin: FeedOrigin) {
        (reader, sources, refusal) = (origin.reader, origin.sources, origin.refusal)
        number += 1
        (isReading, waiting) = (false, nil)
    }

    /// Begins to read; returns why that can't be.
    func reload(_ feed: Feed?, isQuiet: Bool) -> String? {
        if let refusal { return refusal }
        guard let reader, !sources.contains(.standardInput) else {
            return "standard input can only be read once"
        }
        guard let feed, !feed.isBeingRead else { return "the feed is still being read" }
        // What only files tell changes when somebody asks.
        guard !isQuiet || sources.contains(where: reader.isSlow) else { return nil }
        guard !isReading else { return nil }
        isReading = true
        pool.submit(priority: .high) { [mailbox, sources, number] in
            let reload = reader.readAgain(sources, knowing: feed, isQuiet: isQuiet)
            mailbox.post(.reloaded(reload, number: number))
        }
        return nil
    }

    /// Keeps what was read until it can be shown; returns whether it is of this feed.
    func take(_ reload: FeedReload, number: Int) -> Bool {
        guard number == self.number else { return false }
        isReading = false
        waiting = reload
        return true
    }

    /// What was read, once nobody looks at a picture that is gone from it.
    func takeWaiting(_ state: GalleryState) -> FeedReload? {
        guard let reload = waiting else { return nil }
        if let change = reload.change, state.isLookingAtGone(change.numbers) { return nil }
        waiting = nil
        return reload
    }
}

/// Where the feed that is shown comes from.
struct FeedOrigin: Sendable {
    var reader: FeedReader?
    var sources: [FeedSource] = []
    /// Why it can't be read again, if that is so.
    var refusal: String?
}

extension FeedReader {
    /// Reads feeds again; one that can't be read stays as it was.
    ///
    /// Blocks, for as long as it takes to compare a million items too.
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
