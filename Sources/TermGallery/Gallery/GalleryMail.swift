import GalleryCore
import ImageLoading

/// What other threads send to the UI thread.
enum GalleryMail: Sendable {
    /// News of a cell's load, or of the detail view's.
    case delivery(ImageDelivery)
    /// The newest progress of a binding waits in the `ProgressPost`.
    case progressWaits(bindingID: Int)
    /// The feed was read, or can't be.
    case feed(Result<Feed, FeedError>)
    /// Figures have changed that nothing else tells of: a load ahead ended, or memory became short.
    case figuresMoved
    /// The detail view's art is made.
    case art(CellArt, DetailViewport)
    /// Something that was asked for is done.
    case notice(String)
}

/// Brings news of loads to the UI thread; of progress only the newest of each binding.
///
/// Without that a fast transfer could fill the mailbox of a terminal that drains slowly.
final class ProgressPost: Sendable {
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
            // Of a cell that has moved on, late news must not replace that of its new load.
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
