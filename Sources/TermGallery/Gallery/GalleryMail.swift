import GalleryCore
import ImageLoading

/// What other threads send to the UI thread.
enum GalleryMail: Sendable {
    /// An event of a cell's load, or of the detail view's.
    case delivery(ImageDelivery)
    /// The newest progress of a binding waits in the `ProgressCoalescer`.
    case progressWaits(bindingID: Int)
    /// The feed was read, or can't be.
    case feed(Result<Feed, FeedError>)
    /// The feed has changed; its items are where they were. The number is that of `opened`, and 0 for the
    /// first feed.
    case feedChanged(Feed, items: [Int] = [], number: Int = 0)
    /// The feed that `:open` named has pictures.
    case opened(Feed, from: FeedOrigin, number: Int)
    /// The feed was read again; the number is the reloader's.
    case reloaded(FeedReload, number: Int)
    /// What is new in ranges of the feed with this number.
    case unread([Int], of: [Range<Int>], number: Int)
    /// A page of the feed was read, or can't be.
    case pageRead(FeedPage, Result<Feed, FeedError>)
    /// What was worked out on another thread, as the gallery takes it.
    case message(Message)
    /// Statistics have changed that nothing else tells of: a prefetch ended, or memory became short.
    case statisticsChanged
    /// The detail view's image is rendered.
    case detailRendered(CellImage, DetailViewport)
    /// A frame of what plays waits in the `AnimationPlayer`.
    case frameReady(item: Int)
    /// The pixels of a picture are ready for the terminal.
    case pictureReady
    /// Pictures are files now, for a program that waits for them.
    case filesReady(PictureFiles.Outcome, OutsideWork.Use)
    /// Files went to the trash, or came back.
    case trash(TrashWork.Report)
    /// What files and caches say of an item.
    case information(PictureInformation, item: Int)
    /// Something that was asked for is done, or is not as it should be.
    case notice(String, Notice.Kind = .note)
}

/// Brings the events of loads to the UI thread; of progress only the newest of each binding.
///
/// Without that a fast transfer could fill the mailbox of a terminal that drains slowly.
final class ProgressCoalescer: Sendable {
    private let mailbox: Mailbox<GalleryMail>
    private let newest = Protected<[Int: ImageDelivery]>([:])

    init(mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
    }

    /// Callable on any thread.
    func send(_ delivery: ImageDelivery) {
        guard delivery.isProgress else { return mailbox.post(.delivery(delivery)) }
        let id = delivery.bindingID
        let isFirst = newest.withLock { newest in
            // Late progress of a cell that has moved on must not replace that of its new load.
            if let waiting = newest[id], waiting.generation > delivery.generation { return false }
            return newest.updateValue(delivery, forKey: id) == nil
        }
        if isFirst { mailbox.post(.progressWaits(bindingID: id)) }
    }

    /// The newest progress of a binding; for the UI thread.
    func take(bindingID: Int) -> ImageDelivery? {
        newest.withLock { $0.removeValue(forKey: bindingID) }
    }
}
