import ArgumentParser
import DemoServer
import Glibc

/// `termgallery serve`: the demo server alone.
struct ServeCommand: ParsableCommand {
    /// Where `sample-feeds/demo.txt` expects it.
    static let defaultPort = 8799

    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve made-up pictures on this machine, slowly or badly as you ask.",
        discussion: """
            Listens on 127.0.0.1 only, until Ctrl-C. /feed.txt is the feed, /pictures/N.jpg a \
            picture, /counters.json what was asked of it. Query parameters make one picture \
            misbehave: latency, bandwidth, status, truncate, reset, stall, redirect and others; the \
            page at / lists them.
            """
    )

    @OptionGroup var demo: DemoArguments
    @Option(help: ArgumentHelp("Port to listen on (0: any).", valueName: "port"))
    var port = ServeCommand.defaultPort

    func validate() throws {
        guard (0...65535).contains(port) else {
            throw ValidationError("--port takes a number from 0 to 65535.")
        }
    }

    func run() throws {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // Before the server's threads exist, so that they inherit the mask and none of them dies.
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let server = try demo.start(port: port)
        print("serving \(demo.count) pictures, feed \(server.feedURL), Ctrl-C ends it")
        fflush(nil)
        var signal: Int32 = 0
        sigwait(&signals, &signal)

        server.stop()
        let counters = server.counters
        print("\(counters.requests) requests, \(counters.aborted) abandoned by the client")
    }
}
