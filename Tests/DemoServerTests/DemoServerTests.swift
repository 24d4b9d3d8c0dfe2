import Decoders
import Testing

@testable import DemoServer

/// The few things that only a real socket shows.
struct DemoServerTests {
    private func withServer(
        _ configuration: DemoConfiguration = DemoConfiguration(count: 5),
        _ body: (DemoServer) async throws -> Void
    ) async throws {
        let server = try DemoServer.start(configuration)
        defer { server.stop() }
        try await body(server)
    }

    @Test func `the server serves its feed, its page and the same image twice`() async throws {
        try await withServer { server in
            let feed = try await LoopbackClient.get("/feed.txt", port: server.port)
            let page = try await LoopbackClient.get("/", port: server.port)
            let first = try await LoopbackClient.get("/pictures/1.jpg", port: server.port)
            let second = try await LoopbackClient.get("/pictures/1.jpg", port: server.port)

            #expect(feed.text == server.feedText)
            #expect(page.text.contains("demo server"))
            #expect(first.body.starts(with: [0xFF, 0xD8]))
            #expect(first == second)
            #expect(server.counters.requests == 4)
        }
    }

    @Test func `a width in the query sets the width of the image`() async throws {
        try await withServer { server in
            let answer = try await LoopbackClient.get("/pictures/1.png?width=80", port: server.port)

            #expect(try DecoderRegistry.standard.probe(answer.body).size.width == 80)
        }
    }

    @Test func `the feed lists every image with its caption`() async throws {
        try await withServer { server in
            let lines = server.feedText.split(separator: "\n").filter { !$0.hasPrefix("#") }

            #expect(lines.count == 5)
            let caption = DemoImage(number: 1, seed: 1).caption
            #expect(lines[0].hasPrefix("pictures/1."))
            #expect(lines[0].hasSuffix(" \(caption)"))
        }
    }

    @Test func `truncate ends with a close, reset with a reset`() async throws {
        try await withServer { server in
            let truncated = try await LoopbackClient.connect(port: server.port)
            try await truncated.send("/pictures/1.jpg?truncate=100")
            let reset = try await LoopbackClient.connect(port: server.port)
            try await reset.send("/pictures/1.jpg?reset=100")

            let closed = try await truncated.ending()
            #expect(closed.ending == .closed)
            #expect(Answer(bytes: closed.bytes).body.count == 100)
            #expect(try await reset.ending().ending == .reset)
        }
    }

    @Test func `a client that disconnects in the middle is counted as aborted`() async throws {
        try await withServer { server in
            let client = try await LoopbackClient.connect(port: server.port)
            try await client.send("/pictures/1.jpg?stall=100")
            _ = try await client.bytes(atLeast: 200)
            #expect(server.counters.liveNow == 1)

            try await client.close()

            while server.counters.aborted == 0, !Task.isCancelled { await Task.yield() }
            #expect(server.counters.liveNow == 0)
            #expect(server.counters.completed == 0)
        }
    }

    @Test func `stopping ends the connections and counts the unsent bytes`() async throws {
        let server = try DemoServer.start(DemoConfiguration(count: 5))
        let client = try await LoopbackClient.connect(port: server.port)
        try await client.send("/pictures/1.jpg?stall=1")
        _ = try await client.bytes(atLeast: 100)

        server.stop()
        server.stop()

        _ = try await client.ending()
        #expect(server.counters.aborted == 1)
    }

    @Test func `a port in use is an error that names the port`() async throws {
        try await withServer { server in
            let error = #expect(throws: DemoServerError.self) {
                try DemoServer.start(DemoConfiguration(port: server.port))
            }
            #expect(error?.description == "can't listen on 127.0.0.1:\(server.port): in use")
        }
    }
}
