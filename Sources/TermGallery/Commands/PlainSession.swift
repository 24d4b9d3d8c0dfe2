import Decoders
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// A command that the user types in `--plain` mode.
///
/// Commands use the same letters as the keys of the gallery.
enum PlainCommand: Equatable {
    case next, previous, first, last
    case picture(Int)
    case retry, refresh
    case open, information
    case search(String)
    case all
    case help, quit
    case unknown(String)

    init(_ line: String) {
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        switch words {
        case "", "n", "next": self = .next
        case "p", "previous": self = .previous
        case "g", "first": self = .first
        case "G", "last": self = .last
        case "r", "retry": self = .retry
        case "R", "refresh": self = .refresh
        case "o", "open": self = .open
        case "i", "info", "information": self = .information
        case "a", "all": self = .all
        case "?", "h", "help": self = .help
        case "q", "quit", ":q": self = .quit
        default:
            let number = words.first == ":" ? words.dropFirst() : words[...]
            if let number = Int(number.prefix(9)), number > 0 {
                self = .picture(number)
            } else if words.first == "/", words.count > 1 {
                self = .search(String(words.dropFirst()))
            } else {
                self = .unknown(words)
            }
        }
    }

    static let helpLines = [
        "Enter or n: next. p: previous. A number: that image. g: first. G: last.",
        "/TEXT: the next image whose caption contains TEXT.",
        "i: information. o: open with another program.",
        "r: retry. R: reload from the source. a: list all images.",
        "q: quit. Each line ends with Enter.",
    ]
}

/// The interactive version of `--plain` on a terminal, for screen readers and braille displays.
///
/// The user types a command, and the program responds with lines of text. Nothing else is written,
/// so speech is not interrupted. An image is loaded when the user selects it. Use this type on the
/// main thread.
struct PlainSession {
    let feed: Feed
    let manager: ImageManager
    private(set) var place = 0
    private var run: PlainRun
    private let files: PictureFiles
    private let reader: InformationReader

    init(feed: Feed, manager: ImageManager, run: PlainRun) {
        (self.feed, self.manager, self.run) = (feed, manager, run)
        files = PictureFiles(manager: manager)
        reader = InformationReader(manager: manager)
    }

    /// Reads and runs commands until the input ends or the user quits.
    mutating func talk(readLine: () -> String? = { Swift.readLine() }) {
        defer { files.removeCopies() }
        run.write("\(feed.title): \(PlainRun.pictures(feed.count)). Type ? and Enter for help")
        guard feed.count > 0 else { return }
        tell()
        while run.output.isOpen, let line = readLine() {
            let command = PlainCommand(line)
            guard command != .quit else { return }
            perform(command)
        }
    }

    private mutating func perform(_ command: PlainCommand) {
        switch command {
        case .next: go(to: place + 1)
        case .previous: go(to: place - 1)
        case .first: go(to: 0)
        case .last: go(to: feed.count - 1)
        case .picture(let number): go(to: number - 1)
        case .retry: tell(options: .retryFailed)
        case .refresh: tell(options: [.retryFailed, .refreshCached])
        case .open: run.write(open())
        case .information: tellInformation()
        case .search(let text): search(text)
        case .all: _ = run.tellEverything()
        case .help: for line in PlainCommand.helpLines { run.write(line) }
        case .unknown(let line): run.write("no such command: \(line); type ? and Enter for help")
        case .quit: break
        }
    }

    private mutating func go(to target: Int) {
        guard target >= 0 else { return run.write("this is the first image") }
        guard target < feed.count else {
            let isNext = target == feed.count
            return run.write(
                isNext ? "this is the last image" : "there are \(PlainRun.pictures(feed.count))"
            )
        }
        place = target
        tell()
    }

    /// Loads the current image and describes it.
    private mutating func tell(options: LoadingOptions = []) {
        run.tell(place, options: options)
    }

    private mutating func search(_ text: String) {
        let wanted = text.lowercased()
        for offset in 1...feed.count {
            let item = (place + offset) % feed.count
            guard feed[item].caption.lowercased().contains(wanted) else { continue }
            return go(to: item)
        }
        run.write("no caption contains \(text)")
    }

    // MARK: Opening and information

    private var picture: ExternalPicture {
        let item = feed[place]
        let request = item.request(origin: feed.origin(at: place))
        return ExternalPicture(url: item.url, caption: item.caption, request: request)
    }

    private func open() -> String {
        let opener = Opener.present
        if let problem = opener.problem { return problem }
        let (files, picture) = (files, picture)
        let outcome = waitFor { await files.paths(of: [picture]) }
        guard let path = outcome.files.first else { return outcome.problem ?? "no such file" }
        let words = opener.words(for: path)
        if opener.isDetached {
            let failure = ExternalProgram.startDetached(words) { _ in }
            return failure?.reason ?? "opened with \(words[0])"
        }
        let streams = ExternalProgram.Streams(input: STDIN_FILENO, output: STDOUT_FILENO)
        switch ExternalProgram.start(words, streams, isDetached: false) {
        case .failure(let error): return "\(words[0]): \(error.reason)"
        case .success(let process):
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status == 0 ? "\(words[0]) has ended" : "\(words[0]) has failed"
        }
    }

    private mutating func tellInformation() {
        let (reader, picture) = (reader, picture)
        let found = waitFor { await reader.read(picture) }
        tell()
        if let path = picture.path {
            run.write("path: \(FileText.shown(path))")
        } else {
            run.write("URL: \(URLParts.withoutLogin(picture.url))")
        }
        for line in found.plainLines { run.write(line) }
    }
}
