import ImageLoading
import Testing

/// Proxies on the way to TLS.
@Suite struct CurlTransportTunnelTests {
    private func outcome(proxyAnswer: [LoopbackServer.Step]) async -> TransferOutcome {
        let proxy = LoopbackServer(["a.example:443": proxyAnswer])
        var configuration = CurlTransportConfiguration()
        configuration.proxy = proxy.url("")
        return await CurlTransport(configuration: configuration).run("https://a.example/1.png")
    }

    @Test func `a proxy's consent to a tunnel is not taken for the response`() async {
        let outcome = await outcome(proxyAnswer: [.text("HTTP/1.1 200 OK\r\n\r\n"), .close])

        #expect(outcome.heads.isEmpty)
        #expect(outcome.error != nil)
    }

    // Table 1.12
    @Test func `a proxy's refusal of a tunnel is an error with its status`() async {
        let outcome = await outcome(
            proxyAnswer: LoopbackServer.Step.answer([], status: "407 Proxy Login")
        )

        #expect(outcome.heads.isEmpty)
        #expect(outcome.error?.httpStatus == 407)
        #expect(outcome.error?.kind == .permanent)
    }
}
