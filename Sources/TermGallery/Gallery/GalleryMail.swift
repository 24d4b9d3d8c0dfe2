import Feeds
import GalleryCore
import ImageLoading
import SystemSupport
import TerminalUI

/// A message from another thread to the UI thread.
enum GalleryMail: Sendable {
    /// An event from a load for a cell or the image view.
    case delivery(ImageDelivery)
    /// The latest progress of a binding is available in the `ProgressCoalescer`.
    case progressWaits(bindingID: Int)
    /// An event from the loads for a folder's cell.
    case cover(FolderCovers.Delivery)
    /// The feed was read or can't be read.
    case feed(Result<Feed, FeedError>)
    /// The feed has changed, but its items have kept their indices.
    ///
    /// `number` identifies the feed. It is the number passed with `opened`, or 0 for the feed
    /// opened at launch.
    case feedChanged(Feed, items: [Int] = [], number: Int = 0)
    /// The feed requested with `:open` has images and can be shown.
    ///
    /// `number` identifies the feed; it is assigned by `FeedOpener`.
    case opened(Feed, from: FeedOrigin, number: Int)
    /// The feed was read again.
    ///
    /// `number` identifies the feed; it is assigned by `FeedReloader`.
    case reloaded(FeedReload, number: Int)
    /// The unread items in these ranges of the feed.
    ///
    /// `number` identifies the version of the feed in which the items have these indices; it is
    /// assigned by `FeedWork`.
    case unread([Int], of: [Range<Int>], number: Int)
    /// A page of the feed was read or can't be read.
    case pageRead(FeedPage, Result<Feed, FeedError>)
    /// A message for `GalleryState` from another thread.
    case message(Message)
    /// The statistics have changed without another event, because a prefetch has ended or the stage
    /// of memory pressure has changed.
    case statisticsChanged
    /// The image in the image view was rendered.
    case detailRendered(CellImage, DetailViewport)
    /// A frame of the current animation is available from the `AnimationPlayer`.
    case frameReady(item: Int)
    /// The pixels of an image are ready to be sent to the terminal.
    case pictureReady
    /// Images are available as files for the opener or a command.
    case filesReady(PictureFiles.Outcome, ExternalWork.Use)
    /// Files were moved to the trash or restored.
    case trash(TrashWork.Report)
    /// The information about an item found in files and caches.
    case information(PictureInformation, item: Int)
    /// A notice for the user about a completed request or a problem.
    case notice(String, Notice.Kind = .note)
}

/// A channel that passes load events to the UI thread.
///
/// If several progress events of a binding are pending, only the newest is kept. Otherwise, a fast
/// transfer could fill the mailbox while the terminal is slow.
final class ProgressCoalescer: Sendable {
    private let mailbox: Mailbox<GalleryMail>
    private let newest = Protected<[Int: ImageDelivery]>([:])

    init(mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
    }

    /// Sends an event.
    ///
    /// This method may be called on any thread.
    func send(_ delivery: ImageDelivery) {
        guard delivery.isProgress else { return mailbox.post(.delivery(delivery)) }
        let id = delivery.bindingID
        let isFirst = newest.withLock { newest in
            // Late progress of a cell that has been rebound must not replace the progress of its
            // new load.
            if let waiting = newest[id], waiting.generation > delivery.generation { return false }
            return newest.updateValue(delivery, forKey: id) == nil
        }
        if isFirst { mailbox.post(.progressWaits(bindingID: id)) }
    }

    /// Returns the newest progress of a binding, or nil if it has already been taken.
    ///
    /// Call this method on the UI thread.
    func take(bindingID: Int) -> ImageDelivery? {
        newest.withLock { $0.removeValue(forKey: bindingID) }
    }
}

extension GalleryMail {
    /// Creates the message for an event from the feed's stream.
    init(_ event: FeedStream.Event) {
        switch event {
        case .opened(let result): self = .feed(result)
        case .changed(let feed): self = .feedChanged(feed)
        }
    }
}
