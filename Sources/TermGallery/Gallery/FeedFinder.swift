import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Filters, sorts and searches the feed.
///
/// The work is done on a separate thread, so even a feed of a million lines never delays a key
/// press. A new request cancels the previous request of the same kind.
final class FeedFinder: Sendable {
    private struct Shared {
        var arranger: FeedArranger?
        var feed: Feed?
        /// The number of calls to `use(_:)`, which identifies the current feed.
        var feedNumber = 0
        var arrangement = CancellationFlag()
        var search = CancellationFlag()
    }

    private let pool = WorkerPool(name: "find", threadCount: 1, order: .oldestFirst)
    private let shared = Protected(Shared())
    private let mailbox: Mailbox<GalleryMail>
    private let photos = PhotoRecords()

    init(mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
    }

    /// Sets the feed that later requests filter, sort and search.
    ///
    /// Requests for the previous feed are cancelled.
    func use(_ feed: Feed) {
        shared.withLock { shared in
            shared.feed = feed
            shared.feedNumber += 1
            shared.arranger = nil
            shared.arrangement.cancel()
            shared.search.cancel()
        }
    }

    func perform(_ effect: FindingEffect) {
        switch effect {
        case .arrange(let arrangement, let known, let number):
            arrange(arrangement, known: known, number: number)
        case .find(let request, let number): find(request, number: number)
        }
    }

    private func arrange(_ arrangement: ItemArrangement, known: KnownItems, number: Int) {
        let flag = CancellationFlag()
        shared.withLock { shared in
            shared.arrangement.cancel()
            shared.arrangement = flag
        }
        work(flag) { [mailbox] arranger in
            let order = arranger.order(arrangement, known: known) { flag.isCancelled }
            if let order, !flag.isCancelled {
                mailbox.post(.message(.finding(.arranged(order, number: number))))
            }
        }
    }

    private func find(_ request: SearchRequest, number: Int) {
        let flag = CancellationFlag()
        shared.withLock { shared in
            shared.search.cancel()
            shared.search = flag
        }
        work(flag) { [mailbox] arranger in
            arranger.search(request, isCancelled: { flag.isCancelled }) { answer in
                if !flag.isCancelled {
                    mailbox.post(.message(.finding(.found(answer, number: number))))
                }
            }
        }
    }

    /// Runs `body` on the finder's thread with exclusive access to the arranger.
    private func work(
        _ flag: CancellationFlag,
        _ body: @escaping @Sendable (inout FeedArranger) -> Void
    ) {
        pool.submit(priority: .high) { [shared, photos] in
            guard !flag.isCancelled else { return }
            let taken = shared.withLock { shared -> (arranger: FeedArranger, feedNumber: Int)? in
                guard let feed = shared.feed else { return nil }
                let arranger =
                    shared.arranger
                    ?? FeedArranger(
                        feed: feed,
                        file: Self.facts,
                        photo: { photos.record(of: $0) }
                    )
                shared.arranger = nil
                return (arranger, shared.feedNumber)
            }
            guard let (taken, feedNumber) = taken else { return }
            var arranger = taken
            body(&arranger)
            shared.withLock { [arranger] shared in
                // The feed may have been replaced since the work started.
                if shared.feedNumber == feedNumber { shared.arranger = arranger }
            }
        }
    }

    /// Returns the size and modification time of a local file, or nil for other items.
    private static func facts(of item: FeedItem) -> LocalFileFacts? {
        var status = stat()
        guard let path = PictureAddress.cPath(ofURL: item.url), stat(path, &status) == 0 else {
            return nil
        }
        let modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        return LocalFileFacts(byteCount: Int(status.st_size), modified: modified)
    }
}
