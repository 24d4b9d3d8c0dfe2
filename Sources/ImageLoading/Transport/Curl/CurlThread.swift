internal import CCurl
internal import Glibc

/// What the curl thread does all its life.
enum CurlLoop {
    /// Runs until the mailbox says to stop.
    ///
    /// libcurl is loaded here, so no other thread waits for that.
    static func run(_ mailbox: CurlMailbox, _ configuration: CurlTransportConfiguration) {
        guard let engine = CurlEngine(configuration) else { return refuseAll(mailbox) }
        while execute(mailbox.take(), on: engine) {
            engine.advance()
            guard mailbox.prepareToSleep() else { continue }
            engine.wait(for: mailbox.wakeup.descriptor)
            mailbox.wakeup.reset()
        }
        engine.cancelAll()
    }

    /// Carries a batch out; false if the thread is to end.
    ///
    /// What came before that in the batch has been started, so that `cancelAll` ends it too.
    private static func execute(_ commands: [CurlMailbox.Command], on engine: CurlEngine) -> Bool {
        for command in commands {
            switch command {
            case .start(let request, let onEvents): engine.start(request, onEvents: onEvents)
            case .cancel(let id): engine.cancel(id)
            case .clearCookies: engine.clearCookies()
            case .stop: return false
            }
        }
        return true
    }

    /// Without libcurl every transfer fails, but the program that shows local pictures works.
    private static func refuseAll(_ mailbox: CurlMailbox) {
        let code = Int(CURLE_FAILED_INIT.rawValue)
        // libcurl can't be loaded without libcrypto either: then that is what to install.
        let failure =
            MessageDigest.missingLibrary() ?? TransferFailure(.missingLibrary, curlCode: code)
        let error = ImageLoadingError.download(.transport(failure))
        while true {
            for command in mailbox.take() {
                switch command {
                case .start(_, let onEvents): onEvents([.finished(error)])
                case .cancel, .clearCookies: continue
                case .stop: return
                }
            }
            guard mailbox.prepareToSleep() else { continue }
            var wakeup = pollfd(fd: mailbox.wakeup.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&wakeup, 1, -1)
            mailbox.wakeup.reset()
        }
    }
}

/// What other threads want from the curl thread, and the wakeup that wakes it.
///
/// The wakeup is an eventfd of our own that the curl thread polls beside curl's sockets, in place
/// of `curl_multi_wakeup`: so no other thread ever holds the multi handle, and no wake-up can meet
/// a handle that is being freed. It rings once for each time the curl thread went to sleep, however
/// many commands come, and not at all for commands that the curl thread gives itself.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(TransferRequest, @Sendable ([TransferEvent]) -> Void)
        case cancel(TransferID)
        case clearCookies
        /// End every transfer and leave the thread.
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var isReaderAsleep = false
    }

    let wakeup: WakeupDescriptor
    private let state = Protected(State())

    /// Nil if the process has no file descriptor left.
    init?() {
        guard let wakeup = WakeupDescriptor() else { return nil }
        self.wakeup = wakeup
    }

    func post(_ command: Command) {
        let mustWake = state.withLock { state in
            state.commands.append(command)
            defer { state.isReaderAsleep = false }
            return state.isReaderAsleep
        }
        if mustWake { wakeup.signal() }
    }

    /// Everything that waits, in order.
    func take() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Called by the curl thread before it polls; false if there is something to do first.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isReaderAsleep = state.commands.isEmpty
            return state.isReaderAsleep
        }
    }
}
