import GalleryCore
import Glibc
import ImageLoading

/// A feed that the person has written down.
struct Subscription: Hashable, Sendable {
    /// As it is written: an http(s) address, or a path.
    var address: String
    /// What it is to be called; nil for its address.
    var title: String?
    var tags: [String] = []

    /// What is read; a path is relative to the file that names it, and `~/` is the home.
    func source(in folder: String) -> FeedSource {
        let source = FeedSource(argument: address)
        guard case .path(let path) = source else { return source }
        if path.hasPrefix("~/"), let home = getenv("HOME") {
            return .path(FileText.text(cString: home) + path.dropFirst())
        }
        return path.hasPrefix("/") ? source : .path(UserFolders.join(folder, path))
    }

    /// What it is called on a screen: no password, no query.
    var name: String { title ?? FeedSource(argument: address).name }
}

/// The feeds that are known, `$XDG_CONFIG_HOME/termgallery/feeds`.
///
/// A line for each: the address, then perhaps a title; or, as newsboat's file has them, tags, of which one
/// in quotes that begins with `~` is the title. Empty lines and lines that begin with `#` are skipped.
struct Subscriptions: Equatable, Sendable {
    /// More are a mistake.
    static let mostFeeds = 500
    static let mostBytes = 1 << 20

    private(set) var all: [Subscription] = []
    /// The line of each in the file, from 0.
    private var places: [Int] = []
    /// How many lines ask for what newsboat does: commands, filters, queries.
    private(set) var leftOutCount = 0

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let words = Self.words(line)
            guard let address = words.first, !address.text.hasPrefix("#") else { continue }
            guard Self.isFeed(address.text), all.count < Self.mostFeeds else {
                leftOutCount += 1
                continue
            }
            all.append(Self.subscription(address.text, words.dropFirst()))
            places.append(number)
        }
    }

    private static func isFeed(_ address: String) -> Bool {
        !["query:", "exec:", "filter:"].contains(where: address.hasPrefix) && address != "-"
    }

    private static func subscription(
        _ address: String,
        _ rest: ArraySlice<Word>
    ) -> Subscription {
        var subscription = Subscription(address: address)
        guard rest.contains(where: \.isQuoted) else {
            let title = rest.map(\.text).joined(separator: " ")
            subscription.title = title.isEmpty ? nil : title
            return subscription
        }
        for word in rest {
            if word.text.hasPrefix("~"), word.text.count > 1 {
                subscription.title = String(word.text.dropFirst())
            } else if !word.text.isEmpty, word.text != "!" {
                subscription.tags.append(word.text)
            }
        }
        return subscription
    }

    private struct Word {
        var text: String
        let isQuoted: Bool
    }

    /// Words between blanks; quotes hold blanks together.
    private static func words(_ line: Substring) -> [Word] {
        var words: [Word] = []
        var rest = line
        while true {
            rest = rest.drop { $0.isWhitespace }
            guard let first = rest.first else { return words }
            if first == "\"" {
                let inside = rest.dropFirst().prefix { $0 != "\"" }
                words.append(Word(text: String(inside), isQuoted: true))
                rest = rest.dropFirst(inside.count + 2)
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                words.append(Word(text: String(word), isQuoted: false))
                rest = rest.dropFirst(word.count)
            }
        }
    }

    // MARK: Changing

    /// The line of a feed that is added.
    static func line(_ subscription: Subscription) -> String {
        let hasBlank = subscription.address.contains(where: \.isWhitespace)
        let address = hasBlank ? "\"\(subscription.address)\"" : subscription.address
        return address + (subscription.title.map { " \($0)" } ?? "") + "\n"
    }

    /// The numbers of the feeds that have this address, this title or, counted from 1, this number.
    func places(of name: String) -> [Int] {
        let named = all.indices.filter { all[$0].address == name || all[$0].title == name }
        if !named.isEmpty { return named }
        return Int(name).flatMap { all.indices.contains($0 - 1) ? [$0 - 1] : nil } ?? []
    }

    /// A file's text without the lines of some feeds.
    func text(_ text: String, without places: [Int]) -> String {
        let removed = Set(places.map { self.places[$0] })
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !removed.contains($0.offset) }.map(\.element).joined(separator: "\n")
    }
}

/// The file of a person's feeds.
struct SubscriptionFile {
    /// As `FileText` has it; nil where there is no home.
    let path: String?

    init(folders: UserFolders = UserFolders()) {
        path = folders.configuration.map { UserFolders.join($0, "termgallery/feeds") }
    }

    /// What it holds; empty if there is none.
    func text() throws -> String {
        guard let path else { return "" }
        let bytes: [UInt8]
        do throws(FileReading.Problem) {
            bytes = try FileStart(of: path, count: Subscriptions.mostBytes + 1).bytes
        } catch {
            guard case .failure(let failure) = error, failure.code == ENOENT else {
                throw self.failure("cannot be read")
            }
            return ""
        }
        guard bytes.count <= Subscriptions.mostBytes else { throw failure("is larger than 1 MiB") }
        return FileText.text(bytes)
    }

    /// What it names, each with what is read of it.
    func sources() throws -> [FeedSource] {
        guard let path else { return [] }
        let folder = AbsolutePath.directory(of: path)
        return Subscriptions(try text()).all.map { subscription in
            .subscription(subscription.source(in: folder), title: subscription.name)
        }
    }

    /// Adds a line behind all others.
    func append(_ line: String) throws {
        guard let path else {
            throw ProgramFailure(.systemFailure, "there is no home directory (HOME)")
        }
        let lacksEnd = try text().utf8.last.map { $0 != UInt8(ascii: "\n") } ?? false
        UserFolders.make(AbsolutePath.directory(of: path))
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
        let descriptor = open(FileText.path(path), flags, 0o600)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        let bytes = FileText.bytes(of: (lacksEnd ? "\n" : "") + line)
        guard OutputBytes.write(bytes, to: descriptor) else { throw failure("cannot be written") }
    }

    /// Puts another text in the place of what it holds; a link stays one.
    func replace(with text: String) throws {
        guard let path else { return }
        let real = realpath(FileText.path(path), nil)
        defer { free(real) }
        let target = real.map { FileText.text(cString: $0) } ?? path
        StateFile.write(FileText.bytes(of: text), to: target)
        guard try self.text() == text else { throw failure("cannot be written") }
    }

    private func failure(_ fault: String) -> ProgramFailure {
        ProgramFailure(.feedUnreadable, "\(path.map { FileText.shown($0) } ?? "feeds"): \(fault)")
    }
}
