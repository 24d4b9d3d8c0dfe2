import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Connections that break, and how often a request goes out because of it.
@Suite struct LostConnectionTests {
    private let transport = CurlTransport(configuration: .patient)

    private static func isBad(_ request: String) -> Bool { request.hasPrefix("GET /bad") }

    private func badRequestCount(_ server: LoopbackServer) -> Int {
        server.log.entries.requests.count { Self.isBad($0) }
    }

    /// Returns a server that closes connections that request `/bad`, and keeps a number of
    /// connections open after `/good`.
    private func serverWithKeptConnections(_ count: Int) async -> LoopbackServer {
        let gate = Turnstile()
        let server = LoopbackServer { request in
            Self.isBad(request) ? [.close] : [.hold(gate)] + LoopbackServer.Step.answer([7])
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { [transport] in _ = await transport.run(server.url("/good")) }
            }
            await server.log.wait { $0.requests.count >= count }
            for _ in 0..<count { gate.open() }
        }
        return server
    }

    @Test(arguments: [1, 4])
    func `a request is sent at most twice on kept connections`(
        keptCount: Int
    ) async {
        let server = await serverWithKeptConnections(keptCount)

        let outcome = await transport.run(server.url("/bad"))

        #expect(outcome.error?.isLostConnection == true)
        #expect(outcome.error?.requestCount == 2)
        #expect(badRequestCount(server) == 2)
    }

    @Test func `a request for a new connection is sent once`() async {
        let server = await serverWithKeptConnections(2)
        var request = TransferRequest(url: server.url("/bad"))
        request.needsNewConnection = true

        var error: ImageLoadingError?
        for await case .finished(let end) in transport.events(of: request) { error = end }

        #expect(error?.isLostConnection == true && error?.requestCount == 1)
        #expect(badRequestCount(server) == 1)
        #expect(server.log.entries.acceptedCount == 3)
    }

    @Test func `a kept connection that broke counts as an attempt, and the next one is new`() {
        var queue = DownloadQueueHarness()
        let stale = TransferFailure(.connectionLost, requestCount: 2)
        let listener = queue.enqueue("http://a/1")

        queue.send(.finished(.download(.transport(stale))), to: "http://a/1")
        queue.advance(by: .seconds(5))
        let isNew = queue.running.values.allSatisfy(\.needsNewConnection)
        queue.send(.finished(.transfer(.connectionLost)), to: "http://a/1")

        #expect(isNew && queue.startedURLs.count == 2)
        #expect(queue.error(of: listener)?.isLostConnection == true)
    }

    /// A server that resets a second connection would reset every new one while the first is open.
    @Test func `after a new connection was lost, a kept one is used`() {
        var queue = DownloadQueueHarness()
        let listener = queue.enqueue("http://a/1")

        queue.send(.finished(.transfer(.connectionLost)), to: "http://a/1")
        queue.advance(by: .seconds(5))
        let second = queue.running.values.map(\.needsNewConnection)
        queue.send(.finished(.transfer(.connectionLost)), to: "http://a/1")
        queue.advance(by: .seconds(5))
        let third = queue.running.values.map(\.needsNewConnection)

        #expect(second == [false] && third == [true])
        #expect(queue.results[listener] == nil)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n", "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /good\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    ])
    func `a connection that ends inside the head is lost`(start: String) async {
        let server = LoopbackServer([
            "/": [.text(start), .close], "/good": LoopbackServer.Step.answer([7]),
        ])

        let outcome = await transport.run(server.url("/"))

        #expect(outcome.error?.isLostConnection == true)
        #expect(outcome.heads.isEmpty && outcome.body.isEmpty)
    }
}
