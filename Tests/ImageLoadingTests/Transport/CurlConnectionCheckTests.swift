import Testing

@testable import ImageLoading

@Suite struct CurlConnectionCheckTests {
    private let home = IPAddress("127.0.0.1")
    private let outside = IPAddress("93.184.216.34")

    private func check(
        secure: Bool = false,
        refusesPrivateAddresses: Bool = true,
        proxy: String? = nil
    ) throws -> CurlConnectionCheck {
        let hop = CurlAttempt(
            address: try #require(WebAddress.of("http\(secure ? "s" : "")://a.example/")),
            headers: [],
            maximumByteCount: 1,
            credentials: nil,
            usesNetrc: false,
            acceptsAnyCertificate: false,
            looksInFolder: false,
            proxy: proxy,
            refusesPrivateAddresses: refusesPrivateAddresses
        )
        return CurlConnectionCheck(for: hop)
    }

    // F32
    @Test func `private addresses, and invalid ones, are refused if the policy requires it`()
        throws
    {
        var check = try check()

        let refused = [check.mayConnect(to: home), check.mayConnect(to: nil)]

        #expect(refused == [false, false])
        #expect(check.hasRefusedAll && !check.hasOpenedSocket)
    }

    @Test func `one permitted address is enough`() throws {
        var check = try check()

        let answers = [check.mayConnect(to: home), check.mayConnect(to: outside)]

        #expect(answers == [false, true])
        #expect(!check.hasRefusedAll && check.hasOpenedSocket)
    }

    @Test func `without that policy, and for a proxy, any address is permitted`() throws {
        var open = try check(refusesPrivateAddresses: false)
        var proxied = try check(proxy: "http://127.0.0.1:3128")

        let answers = [
            open.mayConnect(to: home), open.mayConnect(to: nil), proxied.mayConnect(to: home),
        ]

        #expect(answers == [true, true, true])
        #expect(proxied.allows(home))
    }

    @Test(arguments: [false, true])
    func `a connection with unread bytes is not used again`(hasRemains: Bool) throws {
        var check = try check()

        let isClean = check.isClean { hasRemains }

        #expect(isClean == !hasRemains && check.hasTrailingBytes == hasRemains)
    }

    @Test func `a new connection, and an encrypted one, is not checked for unread bytes`() throws {
        var checks = [
            try check(), try check(secure: true), try check(proxy: "HTTPS://proxy.example"),
        ]
        _ = checks[0].mayConnect(to: outside)

        for index in checks.indices {
            let isClean = checks[index].isClean {
                Issue.record("searched")
                return true
            }
            #expect(isClean)
        }
    }
}
