import GalleryCore
import Glibc
import ImageLoading

/// Reads the pages of feeds one after the other, on a thread of its own, while the gallery goes on.
final class FeedPager: Sendable {
    private let reader: FeedReader
    private let pool = WorkerPool(name: "pages", threadCount: 1, order: .oldestFirst)
    private let visits = Protected(PageVisits())
    private let mailbox: Mailbox<GalleryMail>

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>) {
        reader = FeedReader(manager: manager)
        self.mailbox = mailbox
    }

    /// Posts what the page holds, or why it can't be read.
    func read(_ page: FeedPage) {
        pool.submit(priority: .normal) { [self] in
            let result = result(of: page)
            mailbox.post(.pageRead(page, result))
        }
    }

    /// Blocks for as long as the site wants to be left alone, and the transfer takes.
    func result(of page: FeedPage) -> Result<Feed, FeedError> {
        // Its site was asked before.
        if let rest = page.rest { return rest.read() }
        while true {
            let step = visits.withLock { $0.step(to: page, at: .now) }
            switch step {
            case .askRobots(let url):
                let manager = reader.manager
                let answer = waitFor { await manager.robots(url, origin: page.origin) }
                visits.withLock { $0.take(answer, for: page) }
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

extension ImageManager {
    /// What a site says of its rules for programs.
    func robots(_ url: String, origin: RequestOrigin) async -> RobotsAnswer {
        do throws(ImageLoadingError) {
            let limits = TransferLimits(byteCount: RobotsAnswer.mostBytes, time: .seconds(30))
            return RobotsAnswer(.success(try await body(of: url, origin: origin, limits: limits)))
        } catch {
            return RobotsAnswer(.failure(error))
        }
    }
}
