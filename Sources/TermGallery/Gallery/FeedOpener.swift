import GalleryCore
import Glibc
import ImageLoading

/// Reads the feed that `:open` names, on a thread of its own, while the gallery goes on.
final class FeedOpener: Sendable {
    private let reader: FeedReader
    private let pool = WorkerPool(name: "open", threadCount: 1)
    private let newest = Protected(0)
    private let mailbox: Mailbox<GalleryMail>

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>) {
        reader = FeedReader(manager: manager)
        self.mailbox = mailbox
    }

    /// Posts the feed, or why it can't be shown; of several that were asked for, the last.
    func open(_ name: String) {
        guard name != "-" else {
            mailbox.post(.notice("standard input is read at the start alone"))
            return
        }
        let source = FeedSource(argument: Self.expanded(name))
        let number = newest.withLock { number in
            number += 1
            return number
        }
        mailbox.post(.notice("reading \(source.name)"))
        pool.submit(priority: .high) { [reader, newest, mailbox] in
            let mail: GalleryMail
            do throws(FeedError) {
                mail = .opened(try reader.read([source]))
            } catch {
                mail = .message(.notice(error.description, .failure))
            }
            guard newest.withLock({ $0 }) == number else { return }
            mailbox.post(mail)
        }
    }

    /// As a shell does: `~/` is the home folder.
    private static func expanded(_ name: String) -> String {
        guard name == "~" || name.hasPrefix("~/"), let home = getenv("HOME") else { return name }
        return FileText.text(cString: home) + name.dropFirst()
    }
}
