import Testing

@testable import ImageLoading

/// The behavior of a real server toward transfers that share an HTTP/2 connection.
@Suite struct CurlTransportHTTP2Tests {
    private func transport(_ server: NginxServer) -> CurlTransport {
        var configuration = CurlTransportConfiguration.patient
        configuration.certificateAuthorityFile = server.certificatePath
        return CurlTransport(configuration: configuration)
    }

    private func bodies(
        _ count: Int,
        of url: String,
        _ downloader: ImageDownloader
    ) async -> [Result<[UInt8], ImageLoadingError>] {
        await withTaskGroup(of: Result<[UInt8], ImageLoadingError>.self) { group in
            for number in 0..<count {
                group.addTask {
                    let request = DownloadRequest(url: "\(url)?\(number)")
                    do throws(ImageLoadingError) {
                        return .success(try await downloader.body(for: request).bytes)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// GOAWAY (RFC 9113, 6.8): nginx sends it with the last response permitted on a connection.
    @Test func `a server that closes its connections after every third answer loses nothing`()
        async throws
    {
        let server = try NginxServer("", http: "keepalive_requests 3;", tls: true)
        let downloader = ImageDownloader(transport: transport(server))

        let results = await bodies(40, of: server.url("/pixels"), downloader)

        #expect(results.allSatisfy { (try? $0.get()) == Array("pixels".utf8) })
    }

    /// RST_STREAM (RFC 9113, 6.4): nginx sends it if the server behind it breaks off a response.
    @Test func `a stream that is reset is a lost connection, and its neighbors are whole`()
        async throws
    {
        let origin = LoopbackServer([
            "/broken": LoopbackServer.Step.beginning([1, 2, 3], of: 1000) + [.close]
        ])
        let server = try NginxServer(
            "location /broken { proxy_pass http://127.0.0.1:\(origin.port); }",
            tls: true
        )
        let transport = transport(server)
        let (good, bad) = (server.url("/pixels"), server.url("/broken"))
        let first = await transport.run(good)

        async let broken = transport.run(bad)
        async let neighbor = transport.run(good)
        let (lost, whole) = await (broken, neighbor)
        let next = await transport.run(good)

        #expect(lost.error?.isLostConnection == true && lost.error?.isRetryable == true)
        #expect([first, whole, next].allSatisfy { $0.body == Array("pixels".utf8) })
    }

    @Test func `a server that does not speak TLS on an https URL is a clear error`()
        async throws
    {
        let server = try NginxServer("")

        let outcome = await CurlTransport(configuration: .patient)
            .run("https://127.0.0.1:\(server.port)/")

        #expect(outcome.errorText == "TLS handshake failed")
        #expect(outcome.error?.kind == .permanent)
    }
}
