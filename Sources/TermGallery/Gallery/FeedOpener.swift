import ArgumentParser
import GalleryCore
import Glibc
import ImageLoading

/// Reads the feed that `:open` names, on a thread of its own, while the gallery goes on.
final class FeedOpener: Sendable {
    private let manager: ImageManager
    private let pool = WorkerPool(name: "open", threadCount: 1)
    private let newest = Protected(0)
    private let mailbox: Mailbox<GalleryMail>

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>) {
        self.manager = manager
        self.mailbox = mailbox
    }

    /// Posts the feed, or why it can't be shown; of several that were asked for, the last.
    ///
    /// Options before its name say how it is read, as on the command line.
    func open(_ line: String) {
        let request: FeedRequest
        do throws(FeedRequest.Problem) {
            request = try FeedRequest(line)
        } catch {
            mailbox.post(.notice(error.text, .failure))
            return
        }
        let name = request.name
        guard name != "-" else {
            mailbox.post(.notice("standard input is read at the start alone"))
            return
        }
        let source = FeedSource(argument: AbsolutePath.expandingHome(name))
        let number = newest.withLock { number in
            number += 1
            return number
        }
        mailbox.post(.notice("reading \(source.name)"))
        pool.submit(priority: .high) { [manager, newest, mailbox] in
            let reader = FeedReader(manager: manager, options: request.options)
            let mail: GalleryMail
            do throws(FeedError) {
                let origin = FeedOrigin(reader: reader, sources: [source])
                mail = .opened(try reader.read([source]), from: origin)
            } catch {
                mail = .message(.notice(error.description, .failure))
            }
            guard newest.withLock({ $0 }) == number else { return }
            mailbox.post(mail)
        }
    }
}

/// A feed as `:open` names it: options as on the command line, then its name, which may have blanks in
/// it.
struct FeedRequest {
    /// Why a line can't be used; one line for people.
    struct Problem: Error {
        let text: String
    }

    let name: String
    let options: FeedOptions

    init(_ line: String) throws(Problem) {
        var words: [String] = []
        var rest = Substring(line)
        func word() -> String {
            let word = rest.prefix { $0 != " " }
            rest = rest[word.endIndex...].drop { $0 == " " }
            return String(word)
        }
        while rest.hasPrefix("-"), rest != "-" {
            let option = word()
            if option == "--" { break }
            words.append(option)
            let isFlag = ["-0", "--null"].contains(option) || option.contains("=")
            if !isFlag, !rest.isEmpty { words.append(word()) }
        }
        do {
            options = try ReadingArguments.parse(words).options
        } catch {
            throw Problem(text: ReadingArguments.message(for: error))
        }
        guard !rest.isEmpty else { throw Problem(text: ":open FEED: which feed?") }
        name = String(rest)
    }
}
