/// What other threads want from the curl thread, and the wakeup that wakes it.
///
/// The wakeup is an eventfd of our own that the curl thread polls beside curl's sockets, in place of
/// `curl_multi_wakeup`: so no other thread ever holds the multi handle, and no wake-up can meet a
/// handle that is being freed. It rings once for each time the curl thread went to sleep, however
/// many commands come, and not at all for commands that the curl thread gives itself.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(TransferRequest, @Sendable (TransferEvent) -> Void)
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
        if mustWake { wakeup.ring() }
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
