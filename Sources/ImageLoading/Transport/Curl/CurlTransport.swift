/// The transport over libcurl: HTTP/1.1 and HTTP/2, with connections used again.
///
/// One thread of its own does everything, asleep while nothing runs; it starts with the first
/// transfer, so a program that never fetches never loads libcurl. Letting go of the transport ends
/// what still runs with `.cancelled` and waits for the thread.
///
/// Redirects are followed within `http` and `https`, never from `https` to `http`; what is meant for
/// the first URL's server is not taken elsewhere. Certificates are verified, cookies neither kept
/// nor sent and private addresses asked, unless a request's `TransferPolicy` says otherwise. The
/// proxy variables of the environment hold (`https_proxy`, `no_proxy` and so on, as for curl).
public final class CurlTransport: Transport {
    private struct Running {
        let mailbox: CurlMailbox
        let thread: CurlThread
    }

    private let configuration: CurlTransportConfiguration
    private let running = Protected<Running?>(nil)

    /// Makes a transport; nothing is started yet.
    public init(configuration: CurlTransportConfiguration = CurlTransportConfiguration()) {
        self.configuration = configuration
    }

    deinit {
        // Nobody else has a reference, so no command can come after this one.
        guard let running = running.withLock({ $0 }) else { return }
        running.mailbox.post(.stop)
        running.thread.join()
    }

    /// Starts a transfer on the transport's thread, which calls `onEvent`.
    public func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        guard let mailbox = bringUp() else {
            let text = "no thread or file descriptor left"
            return onEvent(.finished(.download(.transient, .transport(code: 0, text: text))))
        }
        mailbox.post(.start(request, onEvent))
    }

    /// Ends a transfer: over HTTP/1.1 its connection is closed, over HTTP/2 its stream is reset.
    public func cancel(_ id: TransferID) {
        running.withLock { $0?.mailbox }?.post(.cancel(id))
    }

    /// Forgets the cookies of all hosts; transfers that have begun are not changed.
    ///
    /// Callable on any thread.
    public func clearCookies() {
        running.withLock { $0?.mailbox }?.post(.clearCookies)
    }

    /// The mailbox of the running thread, which the first call starts.
    private func bringUp() -> CurlMailbox? {
        let configuration = configuration
        return running.withLock { running in
            if let running { return running.mailbox }
            guard let mailbox = CurlMailbox(),
                let thread = CurlThread.start({ CurlLoop.run(mailbox, configuration) })
            else { return nil }
            running = Running(mailbox: mailbox, thread: thread)
            return mailbox
        }
    }
}
