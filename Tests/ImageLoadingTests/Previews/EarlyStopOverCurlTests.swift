import Decoders
import Testing

@testable import ImageLoading

/// The early stop over real sockets.
@Suite(.timeLimit(.minutes(5))) struct EarlyStopOverCurlTests {
    // F26
    @Test func `a thumbnail takes the beginning of a body, and the large view only the rest`()
        async throws
    {
        let body = try ProgressiveFile.bytes()
        let enough = try #require(ProgressiveFile.firstScanEnd(of: body)) + 2
        let server = Self.server(body, enough: enough)
        let bench = try CacheBench()
        var configuration = ImageManagerConfiguration()
        configuration.disk = DiskCacheConfiguration(directory: bench.directory)
        configuration.transport = .patient
        let manager = ImageManager(configuration: configuration)
        var request = ImageRequest(
            url: server.url("/a"),
            targetSize: PixelSize(width: 20, height: 20),
            options: [.stopWhenSufficient, .progressive]
        )

        let thumbnail = try await manager.response(for: request)
        // The server has sent no more than this when the client closes the connection.
        await server.log.wait { $0.closedByClientCount >= 1 }
        request.targetSize = PixelSize(width: 4096, height: 4096)
        let whole = try await manager.response(for: request)

        #expect(thumbnail.byteCount == enough)
        #expect(whole.byteCount == body.count)
        #expect(whole.image.pixels.size == ProgressiveFile.size)
        let requests = server.log.entries.requests
        #expect(requests.count == 2)
        #expect(requests.last?.contains("Range: bytes=\(enough)-\r\n") == true)
        #expect(requests.last?.contains("If-Range: \"v\"\r\n") == true)
        let statistics = manager.statistics
        #expect(statistics.bytesReceived == body.count)
        #expect(statistics.bytesNotNeeded == body.count - enough)
        #expect(statistics.transfersResumed == 1 && statistics.bytesResumed == enough)
    }

    /// Returns a server that sends the start of the body and waits for the end of the connection.
    ///
    /// The response to a range request contains the remaining bytes.
    private static func server(_ body: [UInt8], enough: Int) -> LoopbackServer {
        LoopbackServer { request in
            guard request.contains("Range: ") else {
                let head =
                    "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: \(body.count)\r\n\r\n"
                return [.text(head), .send(Array(body.prefix(enough))), .awaitClose]
            }
            return LoopbackServer.Step.answer(
                Array(body.dropFirst(enough)),
                status: "206 Partial Content",
                fields: "ETag: \"v\"\r\n"
                    + "Content-Range: bytes \(enough)-\(body.count - 1)/\(body.count)\r\n"
            )
        }
    }
}
