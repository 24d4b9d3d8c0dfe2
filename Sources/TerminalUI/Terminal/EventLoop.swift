import Glibc
import SystemSupport

/// Waits for keys, signals, mail and the frame timer in a single call to `poll`.
///
/// The loop is confined to the UI thread, which calls `run`. Only the mailbox may be used from
/// other threads. An idle loop never wakes up because the timer runs only while `tickInterval` is
/// set.
package final class EventLoop<Mail: Sendable> {
    private let terminal: any Terminal
    private let signals: SignalInbox
    private let mailbox: Mailbox<Mail>
    private let timer: FrameTimer
    private var knownSize: ScreenSize
    private var knownCapabilities: TerminalCapabilities
    /// Whether to draw even if there are no events, because the terminal can be painted again or
    /// its window has changed.
    private var mustDraw = false

    /// The time between ticks, or nil for no ticks.
    ///
    /// The handler may set the interval.
    package var tickInterval: Duration? {
        get { timer.interval }
        set { timer.interval = newValue }
    }

    package init(
        terminal: any Terminal,
        signals: SignalInbox,
        mailbox: Mailbox<Mail>
    ) throws(TerminalError) {
        self.terminal = terminal
        self.signals = signals
        self.mailbox = mailbox
        self.timer = try FrameTimer()
        self.knownSize = terminal.size
        self.knownCapabilities = terminal.detected
    }

    /// Passes events to the handler in batches until it returns `leave` or the terminal is gone.
    ///
    /// A batch consists of all waiting events: signals, keys and mouse events, mail, and a tick, in
    /// this order. The handler then receives a changed screen size (reported by SIGWINCH, or
    /// changed while the process was stopped) and changed terminal capabilities. `draw` is called
    /// once after each batch. It is also called when the terminal has accepted all pending bytes or
    /// its window has changed.
    package func run(handle: (Event<Mail>) -> LoopDecision, draw: () -> Void) {
        while true {
            let batch = waitForBatch()
            for event in batch where handle(event) == .leave { return }
            if case .inputClosed? = batch.last { return }
            let changes = takeChanges()
            for event in changes where handle(event) == .leave { return }
            // `takeMustDraw` must be called even if there are events, because a single `draw`
            // covers all of them.
            if takeMustDraw() || !batch.isEmpty || !changes.isEmpty { draw() }
        }
    }

    /// Returns events for a changed screen size and changed terminal capabilities.
    ///
    /// There is at most one event of each kind because only the latest state matters.
    private func takeChanges() -> [Event<Mail>] {
        var changes: [Event<Mail>] = []
        if terminal.size != knownSize {
            knownSize = terminal.size
            changes.append(.resize(knownSize))
        }
        if terminal.detected != knownCapabilities {
            knownCapabilities = terminal.detected
            changes.append(.detectionChanged)
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
            // Output is polled only if bytes are pending.
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
            signaled: sources[0].revents != 0,
            typed: sources[1].revents != 0 || sources[4].revents != 0 || timeout == 0,
            posted: sources[2].revents != 0,
            timed: sources[3].revents != 0
        )
    }

    /// The maximum time that `poll` may wait, in milliseconds.
    private var timeout: Int32 {
        // ncurses reads ahead, and its buffered input doesn't make the descriptor readable.
        if terminal.hasBufferedInput { return 0 }
        return terminal.inputTimeout?.pollMilliseconds ?? -1
    }

    private func batch(signaled: Bool, typed: Bool, posted: Bool, timed: Bool) -> [Event<Mail>] {
        var batch: [Event<Mail>] = signaled ? signalEvents() : []
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
            // The screen is invalidated even if the size is unchanged, because the window may
            // temporarily have had another size at which the terminal cropped or wrapped its
            // content.
            terminal.invalidate()
            mustDraw = true
        }
        // On Control-Z, Control-C and Control-\, the kernel normally drops unread keys before they
        // reach the shell. `NOFLSH` turns this off (`TerminalDescriptors.setOwnModes`), so the loop
        // drops them instead.
        if !Set(taken).isDisjoint(with: [SIGTSTP, SIGINT, SIGQUIT]) { terminal.dropInput() }
        return taken.compactMap(SignalEvent.init).map(Event.signal)
    }
}

/// An event that the loop passes to its handler.
package enum Event<Mail: Sendable>: Sendable {
    /// Input from the user at the terminal.
    case input(InputEvent)
    /// The screen has a new size.
    case resize(ScreenSize)
    /// The detected capabilities of the terminal have changed (`Terminal.detected`).
    case detectionChanged
    /// A signal that the program must handle.
    case signal(SignalEvent)
    /// A message from the mailbox.
    case mail(Mail)
    /// The frame timer fired.
    case tick
    /// The terminal has hung up, or its input has ended.
    ///
    /// This event is sent once, after which the loop ends.
    case inputClosed
}

/// A signal that the program handles, named after its meaning.
package enum SignalEvent: Hashable, Sendable {
    /// SIGINT: Control-C.
    case interrupt
    /// SIGTERM.
    case terminate
    /// SIGHUP.
    case hangup
    /// SIGQUIT: Control-\.
    case quit
    /// SIGTSTP: Control-Z, handled with `Terminal.suspend`.
    case suspend
    /// SIGCONT after the process was stopped without the program's knowledge, handled with
    /// `Terminal.resume`.
    case resumed
}

/// The handler's decision whether to continue the loop.
package enum LoopDecision: Sendable {
    /// Wait for the next events.
    case proceed
    /// End the loop after this event without drawing again.
    case leave
}
