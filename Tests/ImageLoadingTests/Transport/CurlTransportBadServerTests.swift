import Testing

@testable import ImageLoading

/// Servers that break the protocol, by accident or on purpose: one clear error each, and the next
/// transfer on the same transport works.
// Bad input.
@Suite struct CurlTransportBadServerTests {
    /// A transport with short time limits that are long enough for a busy machine.
    private let transport: CurlTransport = {
        var configuration = CurlTransportConfiguration()
        configuration.idleTimeout = .seconds(3)
        return CurlTransport(configuration: configuration)
    }()

    @Test(arguments: badAnswers)
    fileprivate func `a bad response is one clear error, and disturbs nothing else`(
        bad: BadAnswer
    ) async {
        let server = LoopbackServer(["/bad": bad.steps, "/good": LoopbackServer.Step.answer([7])])

        let outcome = await transport.run(server.url("/bad"), maximumByteCount: 100_000)
        let next = await transport.run(server.url("/good"))

        #expect(outcome.error?.description == bad.text)
        #expect(outcome.error?.kind == bad.kind)
        #expect(outcome.body.count <= 100_000)
        #expect(next.status == 200 && next.body == [7] && next.error == nil)
    }

    @Test func `a body longer than its Content-Length ends there`() async {
        let server = LoopbackServer(["/long": LoopbackServer.Step.beginning([1, 2, 3, 4], of: 3)])

        let long = await transport.run(server.url("/long"))

        #expect(long.body == [1, 2, 3] && long.error == nil)
    }

    /// libcurl 7.88 would use the connections again, although bytes wait on them.
    @Test func `bytes after a body's end are never the start of the next response`() async {
        let transport = CurlTransport(configuration: .patient)
        let (beginning, gate) = (Turnstile(), Turnstile())
        let rest = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\u{8}"
        let answer = LoopbackServer.Step.answer([1, 2, 3])
        let server = LoopbackServer([
            "/long": [.hold(beginning)] + answer + [.hold(gate), .text(rest), .mark],
            "/good": LoopbackServer.Step.answer([7]),
        ])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let long = await transport.run(server.url("/long"))
                    #expect(long.body == [1, 2, 3] && long.error == nil)
                }
            }
            // No response ends before all requests have arrived; otherwise, the next transfer would
            // reuse its connection.
            await server.log.wait { $0.requests.count >= 3 }
            for _ in 0..<3 { beginning.open() }
        }
        for _ in 0..<3 { gate.open() }
        await server.log.wait { $0.markCount >= 3 }

        let next = await transport.run(server.url("/good"))
        let last = await transport.run(server.url("/good"))

        #expect(next.body == [7] && next.error == nil && next.heads.count == 1)
        #expect(last.body == [7] && last.error == nil)
        #expect(server.log.entries.acceptedCount == 4, "the last one is used again")
    }

    @Test func `a redirect whose body has no end is followed anyway`() async {
        let server = LoopbackServer([
            "/bad": [
                .text("HTTP/1.1 302 Found\r\nLocation: /good\r\nConnection: close\r\n\r\n"),
                .sendForever([UInt8](repeating: 0, count: 10_000)),
            ],
            "/good": LoopbackServer.Step.answer([7]),
        ])

        let outcome = await transport.run(server.url("/bad"))

        #expect(outcome.heads.map(\.status) == [200])
        #expect(outcome.body == [7])
    }

    @Test func `a redirect that announces too large a body is followed anyway`() async {
        let server = LoopbackServer([
            "/bad": [
                .text("HTTP/1.1 302 Found\r\nLocation: /good\r\nContent-Length: 9999999\r\n\r\n"),
                .awaitClose,
            ],
            "/good": LoopbackServer.Step.answer([7]),
        ])

        let outcome = await transport.run(server.url("/bad"), maximumByteCount: 1_000)

        #expect(outcome.body == [7])
    }

    @Test(arguments: [
        "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: \r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nLocation: /good\r\n\r\n",
        "HTTP/1.1 300 Choices\r\nLocation: /good\r\nContent-Length: 0\r\n\r\n",
    ])
    func `a redirect without a target is reported as it is`(answer: String) async {
        let server = LoopbackServer(["/": [.text(answer)]])

        let outcome = await transport.run(server.url("/"))

        #expect(outcome.heads.count == 1 && outcome.error == nil)
        #expect((300..<400).contains(outcome.status ?? 0))
        #expect(server.log.entries.requests.count == 1)
    }

    // O4: the compressed bytes of "abc" in each coding that is offered.
    @Test(
        arguments: [
            ("br", [0x0B, 0x01, 0x80, 0x61, 0x62, 0x63, 0x03]),
            ("deflate", [0x78, 0x9C, 0x4B, 0x4C, 0x4A, 0x06, 0x00, 0x02, 0x4D, 0x01, 0x27]),
        ] as [(String, [UInt8])]
    )
    func `a content coding is decoded if it was offered, and an error if not`(
        coding: String,
        packed: [UInt8]
    ) async {
        let server = LoopbackServer([
            "/": LoopbackServer.Step.answer(packed, fields: "Content-Encoding: \(coding)\r\n")
        ])

        let outcome = await transport.run(server.url("/"))

        let line = server.log.entries.requests.first?.split(separator: "\r\n")
            .first { $0.hasPrefix("Accept-Encoding:") }
        let isOffered = line?.contains(coding) ?? false
        #expect(isOffered ? outcome.body == Array("abc".utf8) : outcome.error != nil)
    }
}

/// A faulty response with the expected error.
private struct BadAnswer: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [LoopbackServer.Step]
    let text: String
    let kind: ImageLoadingError.Class

    init(
        _ name: String,
        _ steps: [LoopbackServer.Step],
        _ text: String,
        _ kind: ImageLoadingError.Class = .permanent
    ) {
        self.name = name
        self.steps = steps
        self.text = text
        self.kind = kind
    }

    var testDescription: String { name }
}

private let zeros = [UInt8](repeating: 0, count: 10_000)

// Created for each use, because the leak checker does not find objects that a global refers to
// through an enum.
private var badAnswers: [BadAnswer] { badBodies + badHeads + badRedirects }

private var badBodies: [BadAnswer] {
    [
        BadAnswer(
            "a body without an end",
            [.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .sendForever(zeros)],
            "larger than 0 MiB"
        ),
        BadAnswer(
            "a body in chunks without an end",
            [
                .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .sendForever(Array("1000\r\n".utf8) + zeros.prefix(4_096) + [13, 10]),
            ],
            "larger than 0 MiB"
        ),
        BadAnswer(
            "a body shorter than announced",
            LoopbackServer.Step.beginning([1], of: 3) + [.close],
            "connection closed too early",
            .transient
        ),
        BadAnswer(
            "a body that stops on the way",
            LoopbackServer.Step.beginning([1], of: 3) + [.awaitClose],
            "timed out",
            .transient
        ),
        BadAnswer(
            "a content coding that is broken",
            LoopbackServer.Step.answer(zeros, fields: "Content-Encoding: gzip\r\n"),
            "response cannot be decompressed"
        ),
    ]
}

private var badHeads: [BadAnswer] {
    [
        BadAnswer("no answer at all", [.close], "empty response", .transient),
        BadAnswer("silence", [.awaitClose], "timed out", .transient),
        BadAnswer(
            "fields without an end",
            [.text("HTTP/1.1 200 OK\r\n"), .sendForever(Array("X: y\r\n".utf8))],
            "response head too large"
        ),
        BadAnswer(
            "one field without an end",
            [
                .text("HTTP/1.1 200 OK\r\nX: "),
                .sendForever([UInt8](repeating: 0x79, count: 1_000)),
            ],
            "response head too large"
        ),
        BadAnswer(
            "a head that drips",
            [.text("HTTP/1.1 200 OK\r\n"), .drip(Array("X: y\r\n".utf8))],
            "timed out",
            .transient
        ),
        BadAnswer(
            "an invalid status line",
            [.text("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .close],
            "not an HTTP response"
        ),
        BadAnswer(
            "a status that is not a number",
            [.text("HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"), .close],
            "not an HTTP response"
        ),
    ]
}

private var badRedirects: [BadAnswer] {
    [
        BadAnswer(
            "a redirect to itself",
            LoopbackServer.Step.redirect(to: "/bad"),
            "too many redirects"
        ),
        BadAnswer(
            "a redirect to a file",
            LoopbackServer.Step.redirect(to: "file:///etc/passwd"),
            "scheme not allowed"
        ),
        BadAnswer(
            "a redirect to gopher",
            LoopbackServer.Step.redirect(to: "gopher://127.0.0.1/"),
            "scheme not allowed"
        ),
        BadAnswer(
            "a redirect to a script",
            LoopbackServer.Step.redirect(to: "javascript:alert(1)"),
            "redirect to an invalid URL"
        ),
        BadAnswer(
            "a redirect to an invalid URL",
            LoopbackServer.Step.redirect(to: "http://["),
            "redirect to an invalid URL"
        ),
    ]
}
