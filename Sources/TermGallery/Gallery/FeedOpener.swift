import ArgumentParser
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Reads the feeds that the user requests with `:open`, and the folders that the user enters and
/// leaves.
///
/// Each feed is read on a separate thread, so the gallery remains usable.
final class FeedOpener: Sendable {
    private let manager: ImageManager
    private let numbers = Protected(FeedNumbers())
    private let mailbox: Mailbox<GalleryMail>
    /// Whether subfolders are listed for the user to enter.
    private let listsFolders: Bool

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>, listsFolders: Bool = false) {
        self.manager = manager
        self.mailbox = mailbox
        self.listsFolders = listsFolders
    }

    /// Reads a feed and posts it, or posts the reason why it can't be shown.
    ///
    /// The feed is posted as soon as it has images, and again as it grows. If several feeds were
    /// requested, only the last one is shown. As on the command line, options before the name
    /// control how the feed is read.
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
            mailbox.post(.notice("standard input can only be read at the start"))
            return
        }
        let source = FeedSource(argument: AbsolutePath.expandingHome(name))
        var options = request.options
        options.listsFolders = listsFolders
        mailbox.post(.notice("reading \(source.name)"))
        start { [self, options] in read(source, options: options, number: $0) }
    }

    /// Reads a folder that the user enters or leaves, with the options of `reader`.
    ///
    /// If the folder can't be read and the current folder no longer exists, posts the nearest
    /// existing folder instead.
    func open(_ request: FolderRequest, by reader: FeedReader?) {
        var options = reader?.options ?? FeedOptions()
        options.listsFolders = listsFolders
        start { [self, options] in read(request, options: options, number: $0) }
    }

    /// Runs `read` on a separate thread with the next feed number.
    private func start(_ read: @escaping @Sendable (_ number: Int) -> Void) {
        let number = numbers.withLock { $0.next() }
        let isStarted = POSIXThread.startDetached(name: "open") { read(number) }
        if !isStarted {
            mailbox.post(.notice("cannot start a thread to read it (ulimit -u)", .failure))
        }
    }

    private func read(_ request: FolderRequest, options: FeedOptions, number: Int) {
        let reader = FeedReader(manager: manager, options: options, stopsAhead: true)
        switch FolderVisit(request).read(by: reader) {
        case .nothing: numbers.withLock { $0.withdraw(number) }
        case .refused(let reason): refuse(reason, number: number)
        case .shown(let feed, let source):
            show(feed, from: FeedOrigin(reader: reader, sources: [source]), number: number)
        }
    }

    /// Posts a feed, unless another feed has been requested since.
    private func show(_ feed: Feed, from origin: FeedOrigin, number: Int) {
        let isLast = numbers.withLock { $0.show(number) }
        if isLast { mailbox.post(.opened(feed, from: origin, number: number)) }
    }

    /// Posts the reason why a feed can't be shown, unless another feed has been requested since.
    private func refuse(_ reason: String, number: Int) {
        let isLast = numbers.withLock { $0.isLast(number) }
        if isLast { mailbox.post(.notice(reason, .failure)) }
    }

    private func read(_ source: FeedSource, options: FeedOptions, number: Int) {
        let reader = FeedReader(manager: manager, options: options, stopsAhead: true)
        let origin = FeedOrigin(reader: reader, sources: [source])
        var stream = FeedStream(reader: reader) { [self] event in
            switch event {
            case .opened(.success(let feed)): show(feed, from: origin, number: number)
            case .opened(.failure(let error)): refuse(error.description, number: number)
            case .changed(let feed): mailbox.post(.feedChanged(feed, number: number))
            }
        }
        stream.isWanted = { [numbers] in numbers.withLock { $0.shown <= number } }
        stream.run([source])
    }
}

/// The numbers that identify the requested feeds.
///
/// Each request gets the next number. The feed opened at launch has the number 0.
struct FeedNumbers {
    /// The number of the most recently requested feed.
    private var last = 0
    /// The number of the displayed feed.
    private(set) var shown = 0

    mutating func next() -> Int {
        last += 1
        return last
    }

    /// Returns whether no other feed has been requested since.
    func isLast(_ number: Int) -> Bool { number == last }

    /// Marks a feed as displayed, and returns false if another feed has been requested since.
    mutating func show(_ number: Int) -> Bool {
        if isLast(number) { shown = number }
        return isLast(number)
    }

    /// Removes a request that did not open a feed.
    ///
    /// If it was the last request, the feed requested before it can still be shown.
    mutating func withdraw(_ number: Int) {
        if isLast(number) { last -= 1 }
    }
}

/// The argument of `:open`: command-line options, followed by a name.
///
/// The name may contain spaces.
struct FeedRequest {
    /// The reason why the argument is invalid, as one line of text for the user.
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
            if !Self.isWhole(option), !rest.isEmpty { words.append(word()) }
        }
        do {
            options = try ReadingArguments.parse(words).options
        } catch {
            throw Problem(text: ReadingArguments.message(for: error))
        }
        guard !rest.isEmpty else { throw Problem(text: ":open FEED: which feed?") }
        name = String(rest)
    }

    /// Returns whether an option takes no value or contains its value after an equals sign.
    private static func isWhole(_ option: String) -> Bool {
        if option.hasPrefix("--") {
            return option.contains("=") || ["--null", "--recursive", "--hidden"].contains(option)
        }
        return option.dropFirst().allSatisfy { "0r".contains($0) }
    }
}
