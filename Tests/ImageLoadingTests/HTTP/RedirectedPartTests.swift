import Testing

@testable import ImageLoading

/// Parts of a resource, such as an archive, that another server sends after a redirect.
@Suite struct RedirectedPartTests {
    @Test func `the other server is asked for the part and its known version`() async throws {
        let fields = "Content-Range: bytes 5-6/9\r\nETag: \"v2\"\r\n"
        let mirror = LoopbackServer([
            "/m": LoopbackServer.Step.answer(
                [1, 2],
                status: "206 Partial Content",
                fields: fields
            )
        ])
        let server = LoopbackServer([
            "/a.zip": LoopbackServer.Step.redirect(to: mirror.url("/m"))
        ])
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        let manager = ImageManager(
            configuration: configuration,
            transport: CurlTransport(configuration: .patient)
        )

        let part = try await manager.network.part(
            of: server.url("/a.zip"),
            range: "bytes=5-6",
            validator: "\"v1\""
        )

        #expect(part.bytes == [1, 2] && part.offset == 5 && part.totalByteCount == 9)
        // The caller compares it with the known one.
        #expect(part.validator == "\"v2\"")
        let request = mirror.log.entries.requests.first?.lowercased() ?? ""
        #expect(request.contains("\r\nrange: bytes=5-6\r\n"))
        #expect(request.contains("\r\nif-range: \"v1\"\r\n"))
    }
}
