import Glibc
import SystemSupport
import Testing

@testable import ImageLoading

/// Certificates, against a real TLS server.
@Suite struct CurlTransportTrustTests {
    private let server: NginxServer

    init() throws {
        server = try NginxServer("", tls: true)
    }

    /// Returns a transport that knows two names for the server: one is in its certificate, the
    /// other is not.
    private func transport(trusting: Bool = false) -> CurlTransport {
        var configuration = CurlTransportConfiguration.patient
        configuration.fixedAddresses = ["a.example", "b.example"].map {
            "\($0):\(server.port):127.0.0.1"
        }
        if trusting { configuration.certificateAuthorityFile = server.certificatePath }
        return CurlTransport(configuration: configuration)
    }

    private var lenient: TransferPolicy {
        var policy = TransferPolicy()
        policy.allowsInvalidCertificates = true
        return policy
    }

    @Test func `a trusted certificate is accepted, and HTTP 2 used`() async {
        let outcome = await transport(trusting: true).run(server.url("/pixels", host: "a.example"))

        #expect(outcome.body == Array("pixels".utf8))
        #expect(outcome.head?.httpVersion == "2")
        #expect(outcome.head?.hasUnverifiedCertificate == false)
    }

    @Test(
        arguments: [
            (["SSL_CERT_FILE": "own"], nil, true), (["CURL_CA_BUNDLE": "own"], nil, true),
            (["CURL_CA_BUNDLE": "own", "SSL_CERT_FILE": "/dev/null"], nil, true),
            (["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "own"], nil, true),
            (["SSL_CERT_FILE": "own"], "", false), (["SSL_CERT_FILE": "/dev/null"], "own", true),
            ([:], nil, false),
        ] as [([String: String], String?, Bool)]
    )
    func `the environment names a file of authorities, unless the configuration does`(
        environment: [String: String],
        chosen: String?,
        isTrusted: Bool
    ) async throws {
        let path = try #require(server.certificatePath)
        var configuration = CurlTransportConfiguration.patient
        configuration.environment = environment.mapValues { $0 == "own" ? path : $0 }
        configuration.certificateAuthorityFile = chosen == "own" ? path : chosen
        configuration.fixedAddresses = ["a.example:\(server.port):127.0.0.1"]

        let outcome = await CurlTransport(configuration: configuration)
            .run(server.url("/pixels", host: "a.example"))

        #expect((outcome.error == nil) == isTrusted)
        if !isTrusted { #expect(outcome.errorText == "TLS certificate not trusted") }
    }

    // O10
    @Test(arguments: [(false, "a.example"), (true, "b.example")])
    func `without the option an unknown signer and a wrong name are refused`(
        trusting: Bool,
        host: String
    ) async {
        let outcome = await transport(trusting: trusting).run(server.url("/pixels", host: host))

        #expect(outcome.errorText == "TLS certificate not trusted")
        #expect(outcome.error?.kind == .permanent)
        #expect(outcome.heads.isEmpty)
    }

    @Test func `an expired certificate is refused, though its signer is trusted`() async throws {
        let server = try NginxServer("", tls: true, isExpired: true)
        var configuration = CurlTransportConfiguration.patient
        configuration.certificateAuthorityFile = server.certificatePath

        let outcome = await CurlTransport(configuration: configuration).run(server.url("/pixels"))

        #expect(outcome.errorText == "TLS certificate not trusted")
        #expect(outcome.error?.kind == .permanent)
    }

    @Test(arguments: [false, true])
    func `a handshake that the server breaks off is retried`(isReset: Bool) async {
        let listener = LoopbackServer.listen()
        let isStarted = POSIXThread.startDetached(name: "breaker") {
            let connection = accept(listener.file, nil, nil)
            // Data that is unread at close causes a reset, but not before the handshake.
            var byte: UInt8 = 0
            if isReset { recv(connection, &byte, 1, 0) }
            close(connection)
            close(listener.file)
        }
        #expect(isStarted)

        let outcome = await transport().run("https://127.0.0.1:\(listener.port)/")

        #expect(outcome.errorText == "connection lost in the TLS handshake")
        #expect(outcome.error?.isRetryable == true)
    }

    @Test func `a handshake without a reply from the server times out`() async {
        let listener = LoopbackServer.listen()
        defer { close(listener.file) }
        var configuration = CurlTransportConfiguration()
        configuration.connectTimeout = .seconds(1)

        let outcome = await CurlTransport(configuration: configuration)
            .run("https://127.0.0.1:\(listener.port)/")

        #expect(outcome.errorText == "timed out")
    }

    // O10
    @Test(arguments: [(false, "a.example"), (true, "b.example")])
    func `with the option both are accepted, and each head states it`(
        trusting: Bool,
        host: String
    ) async {
        let transport = transport(trusting: trusting)

        for _ in 0..<2 {
            let outcome = await transport.run(server.url("/pixels", host: host), policy: lenient)

            #expect(outcome.body == Array("pixels".utf8))
            #expect(outcome.head?.hasUnverifiedCertificate == true)
        }
    }

    // O10
    @Test func `a good certificate is not called unverified because of the option`() async {
        let outcome = await transport(trusting: true)
            .run(server.url("/pixels", host: "a.example"), policy: lenient)

        #expect(outcome.error == nil)
        #expect(outcome.head?.hasUnverifiedCertificate == false)
    }

    // O10: neither a connection nor a TLS session is used again with other verification.
    @Test func `a connection opened without verification serves no transfer that verifies`() async {
        let transport = transport()
        let url = server.url("/pixels", host: "a.example")

        let pardoned = await transport.run(url, policy: lenient)
        let strict = await transport.run(url)
        let again = await transport.run(url, policy: lenient)

        #expect(pardoned.error == nil && again.error == nil)
        #expect(strict.errorText == "TLS certificate not trusted")
    }

    // O10
    @Test func `the option applies to the URL's own host, not to the target of redirects`() async {
        let transport = transport()
        let elsewhere = server.url("/pixels", host: "b.example")
        let home = server.url("/pixels", host: "a.example")

        // An exception for b.example itself was recorded before.
        let known = await transport.run(elsewhere, policy: lenient)
        let there = await transport.run(
            server.url("/to?url=\(elsewhere)", host: "a.example"),
            policy: lenient
        )
        let same = await transport.run(
            server.url("/to?url=\(home)", host: "a.example"),
            policy: lenient
        )

        #expect(known.error == nil && same.error == nil)
        #expect(there.errorText == "TLS certificate not trusted")
        #expect(there.heads.isEmpty)
    }

    // O10
    @Test func `the option applies if the URL's own host redirects from http to https`() async {
        let plain = LoopbackServer(["/": LoopbackServer.Step.redirect(to: server.url("/pixels"))])

        let outcome = await transport().run(plain.url("/"), policy: lenient)

        #expect(outcome.head?.hasUnverifiedCertificate == true)
        #expect(outcome.body == Array("pixels".utf8))
    }

    // F32
    @Test func `a redirect from https to http is refused`() async {
        let plain = LoopbackServer(["/": LoopbackServer.Step.answer([1])])

        let outcome = await transport().run(
            server.url("/to?url=\(plain.url("/"))"),
            policy: lenient
        )

        #expect(outcome.errorText == "redirect from https to http")
        #expect(plain.log.entries.acceptedCount == 0)
    }

    // F32
    @Test func `after a redirect from http to https http is not used again`() async {
        let plain = LoopbackServer(["/end": LoopbackServer.Step.answer([1])])
        let middle = server.url("/to?url=\(plain.url("/end"))")
        let start = LoopbackServer(["/": LoopbackServer.Step.redirect(to: middle)])

        let outcome = await transport().run(start.url("/"), policy: lenient)

        #expect(outcome.errorText == "redirect from https to http")
        #expect(outcome.heads.isEmpty)
        #expect(plain.log.entries.acceptedCount == 0)
    }

    // D6
    @Test func `thirty parallel transfers over HTTP 2 share one connection`() async {
        let transport = transport(trusting: true)
        let url = server.url("/pixels")

        let outcomes = await withTaskGroup(of: TransferOutcome.self) { group in
            for _ in 0..<30 { group.addTask { await transport.run(url) } }
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(outcomes.allSatisfy { $0.body == Array("pixels".utf8) })
        #expect(outcomes.allSatisfy { $0.head?.httpVersion == "2" })
        #expect(Set(outcomes.map { $0.head?.headers["x-connection"] }).count == 1)
    }

    @Test func `a server that speaks nothing newer than TLS 1_1 is refused`() async throws {
        let old = try NginxServer(
            "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;",
            tls: true
        )

        let outcome = await CurlTransport(configuration: .patient).run(
            old.url("/pixels"),
            policy: lenient
        )

        #expect(outcome.errorText == "TLS handshake failed")
    }
}
