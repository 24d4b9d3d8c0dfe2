import ImageLoading
import SystemSupport
import Testing

/// The state of connections after transfers that succeed, are cancelled or fail.
@Suite struct CurlTransportConnectionTests {
    // D4
    @Test func `ten consecutive transfers share one connection`() async {
        let server = LoopbackServer(["/": LoopbackServer.Step.answer([1, 2, 3])])
        let transport = CurlTransport(configuration: .patient)

        for _ in 0..<10 { _ = await transport.run(server.url("/")) }

        #expect(server.log.entries.acceptedCount == 1)
        #expect(server.log.entries.requests.count == 10)
    }

    @Test func `cancelling closes the connection, and the next transfer opens another`() async {
        let server = LoopbackServer([
            "/held": LoopbackServer.Step.beginning([1], of: 1_000) + [.awaitClose],
            "/": LoopbackServer.Step.answer([1]),
        ])
        let transport = CurlTransport(configuration: .patient)
        let request = TransferRequest(id: .unique(), url: server.url("/held"))
        var events = transport.events(of: request).makeAsyncIterator()
        while let event = await events.next() {
            if case .chunk = event { break }
        }

        transport.cancel(request.id)
        await server.log.wait { $0.closedByClientCount >= 1 }
        let next = await transport.run(server.url("/"))

        #expect(next.error == nil)
        #expect(server.log.entries.acceptedCount == 2)
    }

    @Test func `cancelling an unknown or finished transfer does nothing`() async {
        let server = LoopbackServer(["/": LoopbackServer.Step.answer([1])])
        let transport = CurlTransport(configuration: .patient)
        let request = TransferRequest(id: .unique(), url: server.url("/"))

        transport.cancel(request.id)
        for await _ in transport.events(of: request) {}
        transport.cancel(request.id)
        let next = await transport.run(server.url("/"))

        #expect(next.error == nil)
    }

    @Test func `a released transport ends running transfers with cancelled`() async {
        let server = LoopbackServer([
            "/held": LoopbackServer.Step.beginning([1], of: 1_000) + [.awaitClose]
        ])
        var transport: CurlTransport? = CurlTransport(configuration: .patient)
        let request = TransferRequest(id: .unique(), url: server.url("/held"))
        let events = transport?.events(of: request)
        await server.log.wait { $0.requests.count >= 1 }

        transport = nil
        var last: TransferEvent?
        if let events { for await event in events { last = event } }

        guard case .finished(.cancelled) = last else {
            Issue.record("ended with \(String(describing: last))")
            return
        }
        await server.log.wait { $0.closedByClientCount >= 1 }
    }

    @Test func `a transport released on its own thread does not wait for itself`() async {
        let server = LoopbackServer(["/": LoopbackServer.Step.answer([1])])
        let kept = Protected<CurlTransport?>(CurlTransport(configuration: .patient))

        await withCheckedContinuation { continuation in
            let request = TransferRequest(id: .unique(), url: server.url("/"))
            let transport = kept.withLock { $0 }
            transport?.start(request) { event in
                guard case .finished = event else { return }
                kept.withLock { $0 = nil }
                continuation.resume()
            }
        }

        await server.log.wait { $0.closedByClientCount >= 1 }
    }

    @Test func `a refused connection is transient and reported as such`() async {
        // Port 1 of the loopback interface: only root could listen there.
        let outcome = await CurlTransport().run("http://127.0.0.1:1/")

        #expect(outcome.errorText == "connection refused")
        #expect(outcome.error?.kind == .transient)
    }

    // The errno that libcurl reports here is from an earlier transfer.
    @Test func `a host that cannot be found is not offline if another one was found`() async {
        let transport = CurlTransport(configuration: .patient)

        let unreachable = await transport.run("http://255.255.255.255/")
        let unknown = await transport.run("http://\(String(repeating: "a", count: 300)).example/")

        #expect(unreachable.error?.kind == .offline)
        #expect(unknown.errorText == "no such host")
        #expect(unknown.error?.kind == .transient)
    }

    /// Takes a second: libcurl counts idle time in whole seconds.
    @Test func `a server that falls silent ends the transfer as timed out`() async {
        let server = LoopbackServer([
            "/": LoopbackServer.Step.beginning([1], of: 10) + [.awaitClose]
        ])
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = .seconds(1)

        let outcome = await CurlTransport(configuration: configuration).run(server.url("/"))

        #expect(outcome.errorText == "timed out")
        #expect(outcome.error?.kind == .transient)
    }
}
