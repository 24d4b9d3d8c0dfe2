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
            mailbox.wakeup.silence()
        }
        engine.cancelAll()
    }

    /// Carries a batch out; false if the thread is to end.
    ///
    /// What came before that in the batch has been started, so that `cancelAll` ends it too.
    private static func execute(_ commands: [CurlMailbox.Command], on engine: CurlEngine) -> Bool {
        for command in commands {
            switch command {
            case .start(let request, let onEvent): engine.start(request, onEvent: onEvent)
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
        let error = ImageLoadingError.download(
            .permanent,
            .transport(code: code, text: "libcurl is not installed")
        )
        while true {
            for command in mailbox.take() {
                switch command {
                case .start(_, let onEvent): onEvent(.finished(error))
                case .cancel, .clearCookies: continue
                case .stop: return
                }
            }
            guard mailbox.prepareToSleep() else { continue }
            var wakeup = pollfd(fd: mailbox.wakeup.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&wakeup, 1, -1)
            mailbox.wakeup.silence()
        }
    }
}
