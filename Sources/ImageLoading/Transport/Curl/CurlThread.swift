internal import CCurl
internal import Glibc
internal import SystemSupport

/// The main loop of the curl thread.
enum CurlLoop {
    /// Runs until the mailbox contains a `stop` command.
    ///
    /// libcurl is loaded on this thread, so no other thread waits for it.
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

    /// Executes several commands; returns false if the thread must end.
    ///
    /// When the method returns false, the commands before `stop` have already been executed, so the
    /// caller's `cancelAll` ends their transfers too.
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

    /// Ends every transfer with an error, because libcurl is missing.
    ///
    /// A program that shows only local images still works.
    private static func refuseAll(_ mailbox: CurlMailbox) {
        let code = Int(CURLE_FAILED_INIT.rawValue)
        // libcurl cannot be loaded without libcrypto either. In that case, libcrypto must be
        // installed.
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

/// The commands from other threads to the curl thread and the descriptor that wakes it.
///
/// The descriptor is an eventfd, which the curl thread polls together with libcurl's sockets.
/// `curl_multi_wakeup` is not used, so no other thread ever uses the multi handle, and no wakeup
/// can reach a handle that is being freed. The eventfd is signaled at most once per sleep of the
/// curl thread, regardless of the number of commands. It is never signaled for commands that the
/// curl thread posts itself.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(TransferRequest, @Sendable ([TransferEvent]) -> Void)
        case cancel(TransferID)
        case clearCookies
        /// Ends all transfers and the thread.
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var isReaderAsleep = false
    }

    let wakeup: WakeupDescriptor
    private let state = Protected(State())

    /// Creates a mailbox, or returns nil if the process has no file descriptor left.
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

    /// Removes and returns all waiting commands, in order.
    func take() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Records that the curl thread is about to sleep; returns false if commands are waiting.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isReaderAsleep = state.commands.isEmpty
            return state.isReaderAsleep
        }
    }
}
