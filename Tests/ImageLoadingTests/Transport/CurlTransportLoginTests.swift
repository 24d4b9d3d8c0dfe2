import Testing

@testable import ImageLoading

/// Logins: offered once, to the URL's own server.
@Suite struct CurlTransportLoginTests {
    private let transport = CurlTransport(configuration: .patient)

    private var policy: TransferPolicy {
        var policy = TransferPolicy()
        policy.credentials = HTTPCredentials(user: "u", password: "geheim")
        return policy
    }

    /// Returns a server that asks for a login until a request has one, and then sends the pixels.
    private func server(
        challenge: String = "Basic realm=\"r\"",
        accepting scheme: String = "Authorization: Basic dTpnZWhlaW0="
    ) -> LoopbackServer {
        LoopbackServer { request in
            request.contains(scheme)
                ? LoopbackServer.Step.answer([1])
                : LoopbackServer.Step.answer(
                    Array("who are you?".utf8),
                    status: "401 Unauthorized",
                    fields: "WWW-Authenticate: \(challenge)\r\n"
                )
        }
    }

    // D16
    @Test func `a login is sent when the server asks for it, and not before`() async {
        let server = server()

        let outcome = await transport.run(server.url("/"), policy: policy)

        #expect(outcome.heads.map(\.status) == [200])
        #expect(outcome.body == [1])
        #expect(server.log.entries.requests.map { $0.contains("Authorization") } == [false, true])
    }

    // O11
    @Test func `a login that is refused ends the transfer with 401, after one try`() async {
        let server = server(accepting: "never")

        let outcome = await transport.run(server.url("/"), policy: policy)

        #expect(outcome.heads.map(\.status) == [401])
        #expect(outcome.error == nil)
        #expect(server.log.entries.requests.count == 2)
    }

    // O11
    @Test func `without credentials a login challenge is the response`() async {
        let server = server()

        let outcome = await transport.run(server.url("/"))

        #expect(outcome.heads.map(\.status) == [401])
        #expect(server.log.entries.requests.count == 1)
    }

    // D16: libcurl interprets a second challenge on the same handle as a wrong password.
    @Test func `a Digest login works every time, also after an unanswered challenge`()
        async
    {
        let server = server(
            challenge: "Digest realm=\"r\", nonce=\"abc\", qop=\"auth\", algorithm=MD5",
            accepting: "Authorization: Digest username=\"u\""
        )

        let anonymous = await transport.run(server.url("/"))
        let first = await transport.run(server.url("/"), policy: policy)
        let second = await transport.run(server.url("/"), policy: policy)

        #expect(anonymous.status == 401)
        #expect(first.status == 200 && second.status == 200)
        #expect(!server.log.entries.requests.joined().contains("geheim"))
    }

    // Credentials, 2.1
    @Test func `a login is not offered after a redirect elsewhere, nor when it leads back`() async {
        let home = server()
        let homeURL = home.url("/")
        let other = LoopbackServer { request in
            request.hasPrefix("GET /back")
                ? LoopbackServer.Step.redirect(to: homeURL)
                : LoopbackServer.Step.answer(
                    [],
                    status: "401 Unauthorized",
                    fields: "WWW-Authenticate: Basic realm=\"r\"\r\n"
                )
        }
        let start = LoopbackServer(["/away": LoopbackServer.Step.redirect(to: other.url("/"))])
        let homeByDetour = LoopbackServer { [port = other.port] _ in
            LoopbackServer.Step.redirect(to: "http://127.0.0.1:\(port)/back")
        }

        let away = await transport.run(start.url("/away"), policy: policy)
        let back = await transport.run(homeByDetour.url("/"), policy: policy)

        #expect(away.status == 401 && back.status == 401)
        let requests = other.log.entries.requests + home.log.entries.requests
        #expect(requests.count == 3)
        #expect(!requests.joined().contains("Authorization"))
    }

    // Credentials, 2.1
    @Test func `header fields that may contain a login stay with the URL's own server`() async {
        let other = LoopbackServer(["/": LoopbackServer.Step.answer([1])])
        let server = LoopbackServer(["/": LoopbackServer.Step.redirect(to: other.url("/"))])
        let secrets = ["Authorization", "Cookie", "X-Api-Key"].map { HeaderField($0, "geheim") }

        let outcome = await transport.run(
            server.url("/"),
            headers: secrets + [HeaderField("Accept", "image/png")]
        )

        #expect(outcome.status == 200)
        #expect(server.log.entries.requests[0].split(separator: "geheim").count == 4)
        #expect(!other.log.entries.requests[0].contains("geheim"))
        #expect(other.log.entries.requests[0].contains("Accept: image/png\r\n"))
    }

    @Test func `a redirect on the same server keeps the login`() async {
        let server = LoopbackServer { request in
            guard request.contains("Authorization: Basic dTpnZWhlaW0=") else {
                return LoopbackServer.Step.answer(
                    [],
                    status: "401 Unauthorized",
                    fields: "WWW-Authenticate: Basic realm=\"r\"\r\n"
                )
            }
            return request.hasPrefix("GET /1")
                ? LoopbackServer.Step.redirect(to: "/2") : LoopbackServer.Step.answer([1])
        }

        let outcome = await transport.run(server.url("/1"), policy: policy)

        #expect(outcome.heads.map(\.status) == [200])
    }

    // Credentials, 2.1
    @Test(arguments: [(true, 200), (false, 401)])
    func `a netrc file is read only if the configuration permits it`(
        isUsed: Bool,
        status: Int
    ) async {
        let folder = TestFolder()
        var configuration = CurlTransportConfiguration.patient
        configuration.usesNetrc = isUsed
        configuration.netrcFile = folder.write(
            "machine 127.0.0.1 login u password geheim\n",
            to: "netrc"
        )
        let server = server()

        let outcome = await CurlTransport(configuration: configuration).run(server.url("/"))

        #expect(outcome.status == status)
    }

    /// The server never ends the unneeded body.
    @Test(arguments: [
        "Connection: close", "Transfer-Encoding: chunked", "Content-Length: 99999999",
    ])
    func `a login challenge without an end is not read`(field: String) async {
        let challenge = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\n"
        let chunk = Array("1000\r\n".utf8) + [UInt8](repeating: 0, count: 4_096) + [13, 10]
        let server = LoopbackServer([
            "/": [.text("\(challenge)\(field)\r\n\r\n"), .sendForever(chunk)]
        ])

        let outcome = await transport.run(server.url("/"), policy: policy)

        #expect(outcome.error?.reason == .tooLarge(limit: 1 << 20))
        #expect(server.log.entries.requests.count <= 2)
    }

    // Credentials, 2.1
    @Test func `no error contains a password`() async {
        let refused = "http://u:geheim@127.0.0.1:1/"
        let outcome = await transport.run(refused, policy: policy)
        let request = TransferRequest(id: .unique(), url: "http://a/", policy: policy)

        #expect(outcome.error != nil)
        #expect(!String(reflecting: outcome.error).contains("geheim"))
        #expect(!String(describing: request.policy).contains("geheim"))
        #expect(!String(reflecting: request.policy).contains("geheim"))
    }
}
