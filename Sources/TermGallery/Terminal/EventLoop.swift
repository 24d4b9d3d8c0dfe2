import GalleryCore
import Glibc

/// Waits for keys, signals, mail and the frame timer in one `poll`, on the UI thread.
///
/// Owned by and confined to the thread that calls `run`; only the mailbox is for others.
/// Nothing wakes it while nothing happens: the timer runs only while `tickInterval` is set.
final class EventLoop<Mail: Sendable> {
    private let terminal: any Terminal
    private let signals: SignalInbox
    private let mailbox: Mailbox<Mail>
    private let timer: FrameTimer
    private var knownSize: ScreenSize
    private var knownFindings: TerminalFindings
    /// Whether to draw although no event came: the terminal can be painted again after it could not,
    /// or its window was changed.
    private var mustDraw = false

    /// Time between ticks, or nil for none.
    ///
    /// May be set from inside the handler.
    var tickInterval: Duration? {
        get { timer.interval }
        set { timer.interval = newValue }
    }

    init(
        terminal: any Terminal,
        signals: SignalInbox,
        mailbox: Mailbox<Mail>
    ) throws(TerminalError) {
        self.terminal = terminal
        self.signals = signals
        self.mailbox = mailbox
        self.timer = try FrameTimer()
        self.knownSize = terminal.size
        self.knownFindings = terminal.findings
    }

    /// Hands over events in batches until a handler says `leave` or the terminal is gone.
    ///
    /// A batch is everything that waits: signals, then keys and mouse, then mail, then a tick.
    /// A size that changed, by SIGWINCH or while the process was stopped, comes last, and after it
    /// what the terminal told of itself. After each batch `draw` runs once, and once more when the
    /// terminal has taken what was left waiting or its window was changed.
    func run(handle: (Event<Mail>) -> LoopDecision, draw: () -> Void) {
        while true {
            let batch = waitForBatch()
            for event in batch where handle(event) == .leave { return }
            if case .inputClosed? = batch.last { return }
            let changes = takeChanges()
            for event in changes where handle(event) == .leave { return }
            // Taken whatever else there is to draw for: one drawing serves all.
            if takeMustDraw() || !batch.isEmpty || !changes.isEmpty { draw() }
        }
    }

    /// Any number of changes of a kind are one: only the last matters.
    private func takeChanges() -> [Event<Mail>] {
        var changes: [Event<Mail>] = []
        if terminal.size != knownSize {
            knownSize = terminal.size
            changes.append(.resize(knownSize))
        }
        if terminal.findings != knownFindings {
            knownFindings = terminal.findings
            changes.append(.findingsChanged)
        }
        return changes
    }

    private func takeMustDraw() -> Bool {
        defer { mustDraw = false }
        return mustDraw
    }

    private func waitForBatch() -> [Event<Mail>] {
        let readable = Int16(POLLIN)
        var sources = [
            pollfd(fd: signals.descriptor, events: readable, revents: 0),
            pollfd(fd: terminal.inputDescriptor, events: readable, revents: 0),
            pollfd(fd: mailbox.descriptor, events: readable, revents: 0),
            pollfd(fd: timer.descriptor, events: readable, revents: 0),
            pollfd(fd: terminal.answerDescriptor, events: readable, revents: 0),
            // Nothing is waited for while nothing waits to be written.
            pollfd(
                fd: terminal.backlog.contains(.bytes) ? terminal.outputDescriptor : -1,
                events: Int16(POLLOUT),
                revents: 0
            ),
        ]
        guard poll(&sources, nfds_t(sources.count), timeout) >= 0 else { return [] }
        if sources[5].revents != 0 {
            terminal.flush()
            mustDraw = !terminal.backlog.contains(.bytes)
        }
        return batch(
            signalled: sources[0].revents != 0,
            typed: sources[1].revents != 0 || sources[4].revents != 0 || timeout == 0,
            posted: sources[2].revents != 0,
            timed: sources[3].revents != 0
        )
    }

    /// How long `poll` may wait, in milliseconds.
    private var timeout: Int32 {
        // ncurses reads ahead: what it holds doesn't make the descriptor readable.
        if terminal.hasBufferedInput { return 0 }
        return terminal.inputTimeout?.pollMilliseconds ?? -1
    }

    private func batch(signalled: Bool, typed: Bool, posted: Bool, timed: Bool) -> [Event<Mail>] {
        var batch: [Event<Mail>] = signalled ? signalEvents() : []
        let input = typed ? terminal.readInput() : InputBatch()
        batch += input.events.map(Event.input)
        if posted { batch += mailbox.takeAll().map(Event.mail) }
        if timed, timer.takeTick() { batch.append(.tick) }
        if input.isClosed { batch.append(.inputClosed) }
        return batch
    }

    private func signalEvents() -> [Event<Mail>] {
        let taken = signals.takeAll()
        if taken.contains(SIGWINCH) {
            terminal.refreshSize()
            // Also where the size is the old one: the window may have been another in between, and
            // what it cropped or wrapped then is not what was drawn.
            terminal.invalidate()
            mustDraw = true
        }
        return taken.compactMap(SignalEvent.init).map(Event.signal)
    }
}

/// What the event loop hands over.
enum Event<Mail: Sendable>: Sendable {
    /// The person did something at the terminal.
    case input(InputEvent)
    /// The screen has another size.
    case resize(ScreenSize)
    /// The terminal has told more of itself (`Terminal.findings`).
    case findingsChanged
    /// A signal that the program has to answer.
    case signal(SignalEvent)
    /// A message from the mailbox.
    case mail(Mail)
    /// The frame timer fired.
    case tick
    /// The terminal is gone: hung up, or its input ended. Comes once; the loop then ends.
    case inputClosed
}

extension Duration {
    /// What `poll` takes for a time: rounded up, so that it is over when `poll` returns.
    var pollMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        return Int32(clamping: max(0, seconds * 1000 + whole + (rest > 0 ? 1 : 0)))
    }
}

/// A signal as the program sees it.
enum SignalEvent: Hashable, Sendable {
    /// SIGINT: Ctrl-C.
    case interrupt
    /// SIGTERM.
    case terminate
    /// SIGHUP.
    case hangup
    /// SIGQUIT: Ctrl-\.
    case quit
    /// SIGTSTP: Ctrl-Z. Answered with `Terminal.suspend`.
    case suspend
    /// SIGCONT after a stop that the program did not see. Answered with `Terminal.resume`.
    case resumed
}

/// What a handler decides about the loop.
enum LoopDecision: Sendable {
    /// Wait for the next events.
    case proceed
    /// End the loop after this event; nothing more is drawn.
    case leave
}
