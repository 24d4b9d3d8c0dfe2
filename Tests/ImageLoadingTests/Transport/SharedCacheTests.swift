@testable import ImageLoading
import Foundation
import Testing

/// The cache configuration in Documentation/TeamCache.md, tested with a real nginx.
@Suite(.timeLimit(.minutes(5))) struct SharedCacheTests {
    private static let sliceByteCount = 1 << 16

    /// The configuration from the page.
    private struct Recipe {
        let cachePath: String
        let location: String

        init() throws {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Documentation/TeamCache.md")
            let page = try String(contentsOf: file, encoding: .utf8)
            let blocks = page.components(separatedBy: "```nginx\n").dropFirst()
            let block = try #require(blocks.first?.components(separatedBy: "\n```").first)
            let lines = block.components(separatedBy: "\n")
            let cachePath = try #require(lines.first { $0.hasPrefix("proxy_cache_path ") })
            self.cachePath = cachePath.replacing("/var/cache/nginx/pictures", with: "FOLDER/cache")
            let first = try #require(lines.firstIndex { $0.hasPrefix("    location / {") })
            let last = try #require(lines[first...].firstIndex(of: "    }"))
            location = lines[first...last].joined(separator: "\n")
        }
    }

    private func cache() throws -> NginxServer {
        let recipe = try Recipe()
        return try NginxServer(recipe.location, http: recipe.cachePath)
    }

    private func transport(through cache: NginxServer) -> CurlTransport {
        var configuration = CurlTransportConfiguration.patient
        configuration.proxy = cache.url("")
        return CurlTransport(configuration: configuration)
    }

    /// Returns bytes in which no two slices are equal.
    private func body(byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 16) }
    }

    /// Returns a server that sends the requested ranges of a body, but nothing beyond `count`
    /// bytes.
    private func origin(_ body: [UInt8], sending count: Int) -> LoopbackServer {
        LoopbackServer { request in
            let fields = "Cache-Control: max-age=86400\r\nETag: \"v\"\r\n"
            guard let range = request.firstMatch(of: #/Range: bytes=(\d+)-(\d+)\r\n/#),
                let first = Int(range.1), let last = Int(range.2)
            else { return LoopbackServer.Step.answer(body, fields: fields) }
            guard first < count else { return [.awaitClose] }
            let end = min(last + 1, body.count)
            return LoopbackServer.Step.answer(
                Array(body[first..<end]),
                status: "206 Partial Content",
                fields: fields + "Content-Range: bytes \(first)-\(end - 1)/\(body.count)\r\n"
            )
        }
    }

    /// Reads more than `enough` bytes of a body, closes the connection, and returns the number of
    /// bytes.
    private func read(
        moreThan enough: Int,
        of url: String,
        by transport: CurlTransport
    ) async -> Int {
        let request = TransferRequest(
            id: .unique(),
            url: url,
            headers: [],
            maximumByteCount: 1 << 24,
            policy: TransferPolicy()
        )
        var byteCount = 0
        for await event in transport.events(of: request) {
            guard case .chunk(let bytes) = event else { continue }
            byteCount += bytes.count
            if byteCount > enough { break }
        }
        transport.cancel(request.id)
        return byteCount
    }

    @Test
    func `a client that stops early costs two slices, and a range of them is a hit`()
        async throws
    {
        let slice = Self.sliceByteCount
        let body = body(byteCount: 1 << 20)
        let origin = origin(body, sending: 2 * slice)
        let cache = try cache()
        let transport = transport(through: cache)

        let byteCount = await read(moreThan: slice, of: origin.url("/a.jpg"), by: transport)
        let outcome = await transport.run(
            origin.url("/a.jpg"),
            headers: [HeaderField("Range", "bytes=100-\(slice - 1)")]
        )

        #expect(byteCount > slice && byteCount <= 2 * slice)
        #expect(outcome.status == 206)
        #expect(outcome.head?.headers["x-cache-status"] == "HIT")
        #expect(outcome.body == Array(body[100..<slice]))
        // The third slice may have been requested before the client closed the connection.
        let requests = origin.log.entries.requests
        #expect((2...3).contains(requests.count))
        for (number, request) in requests.enumerated() {
            let range = "\(number * slice)-\((number + 1) * slice - 1)"
            #expect(request.contains("Range: bytes=\(range)\r\n"))
        }
    }

    @Test func `slices of an nginx make the body, and so do those in the cache`()
        async throws
    {
        let text = (0..<40_000).map { "\($0)\n" }.joined()
        let origin = try NginxServer(
            "",
            http: "root FOLDER; add_header Cache-Control max-age=86400;"
        )
        origin.folder.write(text, to: "a.txt")
        let cache = try cache()
        let transport = transport(through: cache)

        let first = await transport.run(origin.url("/a.txt"))
        let second = await transport.run(origin.url("/a.txt"))

        #expect(first.status == 200 && first.body == Array(text.utf8))
        #expect(first.head?.headers["x-cache-status"] == "MISS")
        #expect(second.status == 200 && second.body == Array(text.utf8))
        #expect(second.head?.headers["x-cache-status"] == "HIT")
    }

    @Test func `if an origin sends no ranges, the whole body is stored`() async throws {
        let body = body(byteCount: 300_000)
        let origin = LoopbackServer([
            "/a.jpg": LoopbackServer.Step.answer(
                body,
                fields: "Cache-Control: max-age=86400\r\n"
            )
        ])
        let cache = try cache()
        let transport = transport(through: cache)

        let first = await transport.run(origin.url("/a.jpg"))
        let second = await transport.run(origin.url("/a.jpg"))

        #expect(first.status == 200 && first.body == body)
        #expect(second.status == 200 && second.body == body)
        #expect(second.head?.headers["x-cache-status"] == "HIT")
        #expect(origin.log.entries.requests.count == 1)
    }
}
