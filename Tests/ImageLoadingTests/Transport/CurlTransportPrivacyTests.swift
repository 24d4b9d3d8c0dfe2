import Testing

@testable import ImageLoading

/// URLs in a feed from the network that lead to private addresses.
// F32
@Suite struct CurlTransportPrivacyTests {
    private let server = LoopbackServer(["/": LoopbackServer.Step.answer([1])])

    private func transport(proxy: String? = nil) -> CurlTransport {
        var configuration = CurlTransportConfiguration.patient
        configuration.proxy = proxy
        configuration.fixedAddresses = [
            "a.example:\(server.port):127.0.0.1", "b.example:\(server.port):[::1],127.0.0.1",
            "meta.example:80:169.254.169.254",
        ]
        return CurlTransport(configuration: configuration)
    }

    private var guarded: TransferPolicy {
        var policy = TransferPolicy()
        policy.refusesPrivateAddresses = true
        return policy
    }

    private func expectRefusal(_ outcome: TransferOutcome, of host: String) {
        #expect(outcome.error?.reason == .privateAddress(host))
        #expect(outcome.error?.kind == .policy)
        #expect(outcome.heads.isEmpty)
    }

    @Test(arguments: ["127.0.0.1", "0x7f.1", "2130706433", "localhost", "[::ffff:7f00:1]"])
    func `an address of this machine is refused in every spelling`(host: String) async {
        let outcome = await transport().run("http://\(host):\(server.port)/", policy: guarded)

        #expect(outcome.error?.kind == .policy)
        #expect(server.log.entries.acceptedCount == 0)
    }

    @Test(arguments: ["a.example", "b.example"])
    func `a name that resolves to this machine is refused, whatever it is`(host: String) async {
        let outcome = await transport().run("http://\(host):\(server.port)/", policy: guarded)

        expectRefusal(outcome, of: host)
        #expect(server.log.entries.acceptedCount == 0)
    }

    @Test func `an open connection does not bypass the policy`() async {
        let transport = transport()
        let url = "http://a.example:\(server.port)/"

        let free = await transport.run(url)
        let refused = await transport.run(url, policy: guarded)
        let freeAgain = await transport.run(url)

        #expect(free.status == 200 && freeAgain.status == 200)
        expectRefusal(refused, of: "a.example")
        #expect(server.log.entries.requests.count == 2)
    }

    @Test func `an open multiplexed connection does not bypass the policy`() async throws {
        let secure = try NginxServer("", tls: true)
        var configuration = CurlTransportConfiguration.patient
        configuration.certificateAuthorityFile = secure.certificatePath
        configuration.fixedAddresses = ["a.example:\(secure.port):127.0.0.1"]
        let transport = CurlTransport(configuration: configuration)
        let url = secure.url("/pixels", host: "a.example")

        let free = await transport.run(url)
        let refused = await transport.run(url, policy: guarded)

        #expect(free.head?.httpVersion == "2")
        expectRefusal(refused, of: "a.example")
    }

    @Test(arguments: [
        "http://169.254.169.254/latest/", "http://meta.example/", "http://[fd00::1]/",
    ])
    func `a redirect to a private address is refused, and the next transfer works`(
        target: String
    ) async {
        // The proxy stands for the public internet, which a test can't reach.
        let internet = LoopbackServer([
            "http://feed.example/": LoopbackServer.Step.redirect(to: target),
            "http://feed.example/good": LoopbackServer.Step.answer([1]),
        ])
        var configuration = CurlTransportConfiguration.patient
        configuration.environment = [
            "http_proxy": internet.url(""), "no_proxy": "169.254.0.0/16,meta.example,fd00::/8",
        ]
        configuration.fixedAddresses = ["meta.example:80:169.254.169.254"]
        let transport = CurlTransport(configuration: configuration)

        let refused = await transport.run("http://feed.example/", policy: guarded)
        let good = await transport.run("http://feed.example/good", policy: guarded)

        #expect(refused.error?.kind == .policy)
        #expect(refused.heads.isEmpty)
        #expect(good.status == 200)
    }

    @Test func `a proxy's own address is permitted, a private one in the URL is not`() async {
        let proxy = LoopbackServer(["http://public.example/": LoopbackServer.Step.answer([1])])
        let transport = transport(proxy: proxy.url(""))

        let good = await transport.run("http://public.example/", policy: guarded)
        let refused = await transport.run("http://10.0.0.1/", policy: guarded)

        #expect(good.status == 200)
        expectRefusal(refused, of: "10.0.0.1")
        #expect(proxy.log.entries.requests.count == 1)
    }

    @Test func `without the policy this machine can be requested`() async {
        let outcome = await transport().run("http://a.example:\(server.port)/")

        #expect(outcome.status == 200)
    }
}
