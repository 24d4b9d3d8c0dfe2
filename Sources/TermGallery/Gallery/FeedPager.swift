import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Reads the pages of feeds one after another on its own thread.
///
/// The gallery remains usable while a page is being read.
final class FeedPager: Sendable {
    private let reader: FeedReader
    private let pool = WorkerPool(name: "pages", threadCount: 1, order: .oldestFirst)
    private let politeness = Protected(PagePoliteness())
    private let mailbox: Mailbox<GalleryMail>

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>) {
        reader = FeedReader(manager: manager)
        self.mailbox = mailbox
    }

    /// Reads a page, and posts its contents or the reason why it can't be read.
    func read(_ page: FeedPage) {
        pool.submit(priority: .normal) { [self] in
            let result = result(of: page)
            mailbox.post(.pageRead(page, result))
        }
    }

    /// Returns the contents of the page.
    ///
    /// This method blocks during the delay requested by the site and during the transfer.
    func result(of page: FeedPage) -> Result<Feed, FeedError> {
        // The rest of a feed is on a site that has already been contacted.
        if let rest = page.rest { return rest.read() }
        while true {
            let step = politeness.withLock { $0.step(to: page, at: .now) }
            switch step {
            case .askRobots(let url):
                let manager = reader.manager
                let answer = waitFor { await manager.robots(url, origin: page.origin) }
                politeness.withLock { $0.take(answer, for: page) }
            case .wait(let time): _ = poll(nil, 0, time.pollMilliseconds)
            case .read:
                do throws(FeedError) {
                    return .success(try reader.page(page))
                } catch {
                    return .failure(error)
                }
            case .refuse(let reason):
                return .failure(FeedError("\(page.title): \(reason)"))
            }
        }
    }
}
