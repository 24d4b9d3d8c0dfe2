@testable import ImageLoading
import Testing

/// Proxies that a team shares.
@Suite struct CurlTransportProxyTests {
    private let origin = LoopbackServer([
        "/1.png": LoopbackServer.Step.answer(
            Array("pixels".utf8),
            fields: "Cache-Control: max-age=86400\r\n"
        )
    ])

    private func transport(_ environment: [String: String]) -> CurlTransport {
        var configuration = CurlTransportConfiguration.patient
        configuration.environment = environment
        return CurlTransport(configuration: configuration)
    }

    private func nginx(upstream: String) throws -> NginxServer {
        let server = try NginxServer(
            """
            location / {
                proxy_pass \(upstream);
                proxy_cache pictures;
                proxy_cache_lock on;
                proxy_cache_use_stale error timeout updating;
                add_header X-Cache-Status $upstream_cache_status always;
            }
            """,
            http: "proxy_cache_path FOLDER/cache keys_zone=pictures:1m;"
        )
        return server
    }

    @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func `the environment's proxy is used, with the whole URL`(variable: String) async {
        let proxy = LoopbackServer(["http://a.example/1.png": LoopbackServer.Step.answer([1])])

        let outcome = await transport([variable: proxy.url("")]).run("http://a.example/1.png")

        #expect(outcome.body == [1])
    }

    @Test func `https uses the environment's https proxy, as a tunnel`() async {
        let proxy = LoopbackServer([
            "a.example:443": LoopbackServer.Step.answer([], status: "403 No")
        ])

        let outcome = await transport(["https_proxy": proxy.url("")]).run("https://a.example/")

        #expect(outcome.error?.httpStatus == 403)
        #expect(proxy.log.entries.requests.first?.hasPrefix("CONNECT a.example:443") == true)
    }

    @Test func `a host in no_proxy is requested directly`() async {
        let environment = ["http_proxy": "http://127.0.0.1:1", "no_proxy": "x,127.0.0.0/8"]

        let outcome = await transport(environment).run(origin.url("/1.png"))

        #expect(outcome.body == Array("pixels".utf8))
    }

    // The shared cache tier.
    @Test func `an nginx used as a forward proxy asks the origin once for two transports`()
        async throws
    {
        let proxy = try nginx(upstream: "http://$http_host$request_uri")
        var configuration = CurlTransportConfiguration.patient
        configuration.proxy = proxy.url("")

        let first = await CurlTransport(configuration: configuration).run(origin.url("/1.png"))
        let second = await CurlTransport(configuration: configuration).run(origin.url("/1.png"))

        #expect(first.head?.headers["x-cache-status"] == "MISS")
        #expect(second.head?.headers["x-cache-status"] == "HIT")
        #expect(second.body == Array("pixels".utf8))
        #expect(origin.log.entries.requests.count == 1)
    }

    // The shared cache tier.
    @Test func `an nginx before the origin asks it once`() async throws {
        let front = try nginx(upstream: "http://127.0.0.1:\(origin.port)")
        let transport = transport([:])

        let first = await transport.run(front.url("/1.png"))
        let second = await transport.run(front.url("/1.png"))

        #expect(first.head?.headers["x-cache-status"] == "MISS")
        #expect(second.head?.headers["x-cache-status"] == "HIT")
        #expect(second.body == Array("pixels".utf8))
        #expect(origin.log.entries.requests.count == 1)
    }
}

/// Proxies for TLS connections.
@Suite struct CurlTransportTunnelTests {
    private func outcome(proxyAnswer: [LoopbackServer.Step]) async -> TransferOutcome {
        let proxy = LoopbackServer(["a.example:443": proxyAnswer])
        var configuration = CurlTransportConfiguration()
        configuration.proxy = proxy.url("")
        return await CurlTransport(configuration: configuration).run("https://a.example/1.png")
    }

    @Test func `a proxy's consent to a tunnel is not mistaken for the response`() async {
        let outcome = await outcome(proxyAnswer: [.text("HTTP/1.1 200 OK\r\n\r\n"), .close])

        #expect(outcome.heads.isEmpty)
        #expect(outcome.error != nil)
    }

    @Test func `a proxy's refusal of a tunnel is an error with its status`() async {
        let outcome = await outcome(
            proxyAnswer: LoopbackServer.Step.answer([], status: "407 Proxy Login")
        )

        #expect(outcome.heads.isEmpty)
        #expect(outcome.error?.httpStatus == 407)
        #expect(outcome.error?.kind == .permanent)
    }
}
