import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Connects the gallery to other programs, files and the clipboard.
///
/// Use this class on the UI thread only. Slow work is done in tasks, which post their results to
/// the gallery's mailbox.
final class ExternalWork {
    /// The purpose for which image files are prepared: the opener or a command.
    enum Use: Sendable {
        case opener
        case command(String, names: NamePassing)
    }

    /// A message for the status bar.
    struct Remark: Equatable {
        let text: String
        let kind: Notice.Kind

        init(_ text: String, _ kind: Notice.Kind = .note) {
            (self.text, self.kind) = (text, kind)
        }
    }

    private let files: PictureFiles
    private let trash: TrashWork
    private let feedWriter: FeedWriter
    private let reader: InformationReader
    private let mailbox: Mailbox<GalleryMail>
    private let signals: SignalInbox
    private let terminal: any Terminal
    /// The task that looks up information about an image; a new request cancels it.
    private var reading: Task<Void, Never>?

    init(
        manager: ImageManager,
        mailbox: Mailbox<GalleryMail>,
        signals: SignalInbox,
        terminal: any Terminal
    ) {
        files = PictureFiles(manager: manager)
        trash = TrashWork(mailbox: mailbox)
        feedWriter = FeedWriter(mailbox: mailbox)
        reader = InformationReader(manager: manager)
        (self.mailbox, self.signals, self.terminal) = (mailbox, signals, terminal)
    }

    /// Deletes the temporary files that were created while the gallery was running.
    func end() { files.removeCopies() }

    /// Performs or starts a request, and returns a message for the status bar.
    ///
    /// The message is nil if there is nothing to report yet. `picture` returns the image for an
    /// item.
    func perform(
        _ request: ExternalRequest,
        of feed: Feed?,
        picture: (Int) -> ExternalPicture?
    ) -> Remark? {
        switch request {
        case .write(let file, let order, let overwrites):
            guard let feed else { return nil }
            feedWriter.write(order, of: feed, to: file, overwrites: overwrites)
            return nil
        case .copy(let text):
            terminal.copy(text)
            TmuxClipboard.set(text)
            return nil
        case .save(let items): return save(items.compactMap(picture))
        case .open(let item):
            if let problem = Opener.present.problem { return Remark(problem, .failure) }
            return prepare([item].compactMap(picture), for: .opener)
        case .trash(let items):
            trash.take(Self.files(of: items, picture))
            return nil
        case .putBack(let items):
            trash.putBack(Self.files(of: items, picture))
            return nil
        case .run(let command, let items, let names):
            return prepare(items.compactMap(picture), for: .command(command, names: names))
        }
    }

    private static func files(
        of items: [Int],
        _ picture: (Int) -> ExternalPicture?
    ) -> [(item: Int, path: String)] {
        items.compactMap { item in picture(item)?.path.map { (item, $0) } }
    }

    private func save(_ pictures: [ExternalPicture]) -> Remark? {
        let (files, mailbox, folder) = (files, mailbox, AbsolutePath.currentDirectory)
        Task(executorPreference: StepExecutor.shared) {
            let outcome = await files.save(pictures, in: folder)
            let (text, kind) = outcome.savedText
            mailbox.post(.notice(text, kind))
        }
        return pictures.count > 1 ? Remark("saving \(pictures.count) images…") : nil
    }

    private func prepare(_ pictures: [ExternalPicture], for use: Use) -> Remark? {
        let paths = pictures.compactMap(\.path)
        // All images are local files, so no loading is needed.
        guard paths.count < pictures.count else {
            mailbox.post(.filesReady(PictureFiles.Outcome(files: paths), use))
            return nil
        }
        let (files, mailbox) = (files, mailbox)
        Task(executorPreference: StepExecutor.shared) {
            mailbox.post(.filesReady(await files.paths(of: pictures), use))
        }
        return Remark("downloading the file…")
    }

    /// Looks up information about an image in files and caches, and posts it to the mailbox.
    func readInformation(of picture: ExternalPicture?, item: Int) {
        reading?.cancel()
        guard let picture else { return }
        reading = Task(executorPreference: StepExecutor.shared) { [reader, mailbox] in
            let found = await reader.read(picture)
            if !Task.isCancelled { mailbox.post(.information(found, item: item)) }
        }
    }

    /// Passes the prepared files to the program for which they were requested.
    ///
    /// Returns a message for the status bar, and a signal that must end the gallery or nil to
    /// continue.
    func use(_ outcome: PictureFiles.Outcome, _ use: Use) -> (remark: Remark?, signal: Int32?) {
        guard !outcome.files.isEmpty else {
            return (Remark(outcome.problem ?? "there is no image", .failure), nil)
        }
        switch use {
        case .opener: return open(outcome.files[0])
        case .command(let command, let names):
            return run(ShellCommand(command, files: outcome.files, names: names))
        }
    }

    // MARK: Opening

    private func open(_ path: String) -> (Remark?, Int32?) {
        let opener = Opener.present
        let words = opener.words(for: path)
        guard !opener.isDetached else {
            let failure = ExternalProgram.startDetached(words) { [mailbox] code in
                guard code != 0 else { return }
                mailbox.post(
                    .notice("\(words[0]) could not open it (exit status \(code))", .failure)
                )
            }
            if let failure { return (Remark("\(words[0]): \(failure.reason)", .failure), nil) }
            return (Remark("opened with \(words[0])"), nil)
        }
        let (end, signal) = inForeground { $0.run(words) }
        return (end.text.map { Remark("\(words[0]) \($0)", .warning) }, signal)
    }

    private func inForeground(
        _ body: (inout ForegroundProgram) -> ForegroundProgram.End
    ) -> (ForegroundProgram.End, signal: Int32?) {
        var result = (ForegroundProgram.End.exited(0), signal: Int32?.none)
        terminal.handOver { input, output in
            var program = ForegroundProgram(signals: signals, input: input, output: output)
            result = (body(&program), program.deadlySignal)
        }
        return result
    }

    // MARK: Commands

    private func run(_ command: ShellCommand) -> (Remark?, Int32?) {
        var lines: Int32?
        if let bytes = command.standardInput {
            guard let file = AnonymousFile.holding(bytes) else {
                return (Remark("cannot create a file for the list of names", .failure), nil)
            }
            lines = file
        }
        defer { lines.map { _ = close($0) } }
        let (end, signal) = inForeground { program in
            // The user must have time to read a command's output. If there is no output, the
            // gallery returns without waiting for a key.
            let before = program.cursorWithRoomBelow()
            let end = program.run(command.words, standardInput: lines)
            let isSilent = before != nil && end.text == nil && program.cursor() == before
            if !isSilent {
                let outcome = end.text.map { "it \($0): " } ?? ""
                program.waitForKey("\(outcome)press any key to return")
            }
            return end
        }
        if case .failed(let reason) = end { return (Remark(reason, .failure), signal) }
        return (nil, signal)
    }
}

/// The program that opens an image outside the gallery.
struct Opener: Equatable {
    /// The words of the command, with `{}` as the placeholder for the file.
    let template: [String]
    /// Whether the program opens its own windows and doesn't need the terminal.
    let isDetached: Bool

    /// The current opener: the command in `$TERMGALLERY_OPENER` or, if the variable is not set, the
    /// desktop's default program.
    ///
    /// A command from the variable controls the terminal while it runs, as a pager does.
    static var present: Opener {
        let chosen = getenv("TERMGALLERY_OPENER").map { FileText.text(cString: $0) } ?? ""
        return Opener(chosen: chosen)
    }

    init(chosen: String) {
        let words = chosen.split(separator: " ").map(String.init)
        template = words.isEmpty ? ["xdg-open"] : words
        isDetached = words.isEmpty
    }

    func words(for path: String) -> [String] {
        guard template.dropFirst().contains("{}") else { return template + [path] }
        return template.map { $0 == "{}" ? path : $0 }
    }

    /// The reason why the opener can't be used, or nil if it is installed.
    var problem: String? {
        guard !ExternalProgram.exists(template[0]) else { return nil }
        return isDetached
            ? "xdg-open was not found; set TERMGALLERY_OPENER to a program that shows images"
            : "the program \(template[0]) in TERMGALLERY_OPENER was not found"
    }
}

extension PictureFiles.Outcome {
    /// A message about the result of saving, and its severity.
    fileprivate var savedText: (String, Notice.Kind) {
        let missing = "\(missingCount) not saved: \(problem ?? "")"
        if files.isEmpty { return ("not saved: \(problem ?? "there is no image")", .failure) }
        let saved = files.count == 1 ? "saved as \(files[0])" : "saved \(files.count) images"
        return missingCount == 0 ? (saved, .note) : ("\(saved), \(missing)", .warning)
    }
}
