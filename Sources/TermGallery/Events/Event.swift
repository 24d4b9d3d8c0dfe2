import GalleryCore

/// What the event loop hands over.
enum Event<Mail: Sendable>: Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse did something.
    case mouse(Mouse)
    /// The screen has another size.
    case resize(ScreenSize)
    /// A signal that the program has to answer.
    case signal(SignalEvent)
    /// A message from the mailbox.
    case mail(Mail)
    /// The frame timer fired.
    case tick
    /// The terminal is gone: hung up, or its input ended. Comes once; the loop then ends.
    case inputClosed
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

/// What a handler wants of the loop.
enum Verdict: Sendable {
    /// Go on.
    case goOn
    /// End the loop after this event; nothing more is drawn.
    case leave
}
