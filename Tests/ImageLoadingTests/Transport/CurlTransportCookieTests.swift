import Testing

@testable import ImageLoading

// D5
@Suite struct CurlTransportCookieTests {
    private let server = LoopbackServer { request in
        if request.hasPrefix("GET /hop") { return Self.setting("hop=1", to: "/") }
        if request.hasPrefix("GET /away ") {
            let host = request.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }
            let port = host?.split(separator: ":").last ?? ""
            return Self.setting("away=1", to: "http://b.example:\(port)/")
        }
        return LoopbackServer.Step.answer([1], fields: "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n")
    }

    private static func setting(_ cookie: String, to location: String) -> [LoopbackServer.Step] {
        LoopbackServer.Step.answer(
            [],
            status: "302 Found",
            fields: "Set-Cookie: \(cookie)\r\nLocation: \(location)\r\n"
        )
    }

    private func transport() -> CurlTransport {
        var configuration = CurlTransportConfiguration.patient
        configuration.fixedAddresses = ["a.example", "b.example"].map {
            "\($0):\(server.port):127.0.0.1"
        }
        return CurlTransport(configuration: configuration)
    }

    private var handling: TransferPolicy {
        var policy = TransferPolicy()
        policy.handlesCookies = true
        return policy
    }

    /// The cookies of each request the server has seen.
    private var sent: [String] {
        server.log.entries.requests.map { request in
            let line = request.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") }
            return line.map { String($0.dropFirst(8)) } ?? ""
        }
    }

    @Test func `cookies are sent back with the option, and neither stored nor sent without`() async
    {
        let transport = transport()

        _ = await transport.run(server.url("/"))
        _ = await transport.run(server.url("/"), policy: handling)
        _ = await transport.run(server.url("/"), policy: handling)
        _ = await transport.run(server.url("/"))

        #expect(sent == ["", "", "a=1; b=2", ""])
    }

    @Test func `cookies of one host never reach another`() async {
        let transport = transport()

        _ = await transport.run("http://a.example:\(server.port)/", policy: handling)
        _ = await transport.run("http://b.example:\(server.port)/", policy: handling)

        #expect(sent == ["", ""])
    }

    @Test func `a redirect's cookie is sent in the same transfer only, also without the option`()
        async
    {
        let transport = transport()

        _ = await transport.run(server.url("/hop"))
        _ = await transport.run(server.url("/"))
        _ = await transport.run("http://a.example:\(server.port)/away")

        #expect(sent == ["", "hop=1", "", "", ""])
    }

    @Test func `a host that must receive no secrets gets no cookie of a redirect`() async {
        var policy = TransferPolicy()
        policy.mayRevealSecrets = false

        _ = await transport().run(server.url("/hop"), policy: policy)

        #expect(sent == ["", ""])
    }

    @Test func `a redirect's cookie is sent on the same host`() async {
        _ = await transport().run(server.url("/hop"), policy: handling)

        #expect(sent == ["", "hop=1"])
    }

    @Test func `a redirect's cookie is not sent to another host`() async {
        let transport = transport()

        _ = await transport.run("http://a.example:\(server.port)/away", policy: handling)
        _ = await transport.run("http://a.example:\(server.port)/", policy: handling)

        #expect(sent == ["", "", "away=1"])
    }

    @Test func `clearing forgets the cookies`() async {
        let transport = transport()

        transport.clearCookies()
        _ = await transport.run(server.url("/"), policy: handling)
        transport.clearCookies()
        _ = await transport.run(server.url("/"), policy: handling)

        #expect(sent == ["", ""])
    }

    @Test func `a Cookie field of the request replaces the stored cookies`() async {
        let transport = transport()

        _ = await transport.run(server.url("/"), policy: handling)
        _ = await transport.run(
            server.url("/"),
            headers: [HeaderField("cookie", "mine=1")],
            policy: handling
        )

        #expect(server.log.entries.requests[1].contains("cookie: mine=1\r\n"))
        #expect(!server.log.entries.requests[1].contains("a=1"))
    }
}
