import ImageLoading
import Testing

/// Servers that redirect, flood and never end.
@Suite struct CurlTransportLimitTests {
    let transport = CurlTransport(configuration: .patient)

    // F32
    @Test func `five redirects are followed and only the last head is reported`() async {
        var routes = ["/5": LoopbackServer.Step.answer([1, 2])]
        for hop in 0..<5 { routes["/\(hop)"] = LoopbackServer.Step.redirect(to: "/\(hop + 1)") }
        let server = LoopbackServer(routes)

        let outcome = await transport.run(server.url("/0"))

        #expect(outcome.heads.map(\.status) == [200])
        #expect(outcome.body == [1, 2])
    }

    // F32
    @Test func `the sixth redirect is refused`() async {
        let server = LoopbackServer(["/": LoopbackServer.Step.redirect(to: "/")])

        let outcome = await transport.run(server.url("/"))

        #expect(outcome.errorText == "too many redirects")
        #expect(outcome.error?.kind == .permanent)
        #expect(outcome.heads.isEmpty)
        #expect(server.log.entries.requests.count == 6)
    }

    @Test func `a body that drips ends after the permitted total time`() async {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
        let server = LoopbackServer(["/": [.text(head), .drip([1])]])
        var policy = TransferPolicy()
        policy.limits = TransferLimits(time: .milliseconds(200))

        let outcome = await transport.run(server.url("/"), policy: policy)

        #expect(outcome.errorText == "timed out")
        #expect(outcome.error?.kind == .transient)
    }

    // F32
    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/"])
    func `a redirect out of HTTP is refused`(target: String) async {
        let server = LoopbackServer(["/": LoopbackServer.Step.redirect(to: target)])

        let outcome = await transport.run(server.url("/"))

        #expect(outcome.errorText == "scheme not allowed")
        #expect(outcome.body.isEmpty)
    }

    // F32
    @Test func `a first URL outside of HTTP is refused`() async {
        let outcome = await transport.run("file:///etc/passwd")

        #expect(outcome.errorText == "scheme not allowed")
        #expect(outcome.body.isEmpty)
    }

    // D15, F22
    @Test(arguments: ["", " ", "http://", "http://[", "http://127.0.0.1:99999/"])
    func `an invalid URL ends with an error`(url: String) async {
        let outcome = await transport.run(url)

        #expect(outcome.error != nil)
        #expect(outcome.heads.isEmpty)
    }

    @Test func `an announced length over the limit ends the transfer before the body`() async {
        let server = LoopbackServer([
            "/": LoopbackServer.Step.beginning([1], of: 1_001) + [.awaitClose]
        ])

        let outcome = await transport.run(server.url("/"), maximumByteCount: 1_000)

        #expect(outcome.error?.reason == .tooLarge(limit: 1_000))
        #expect(outcome.body.isEmpty)
    }

    @Test func `a body without an end is stopped at the limit`() async {
        let server = LoopbackServer([
            "/": [
                .text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"),
                .sendForever([UInt8](repeating: 0, count: 10_000)),
            ]
        ])

        let outcome = await transport.run(server.url("/"), maximumByteCount: 100_000)

        #expect(outcome.error?.reason == .tooLarge(limit: 100_000))
        #expect(outcome.body.count <= 100_000)
    }

    @Test func `a small gzip body that unpacks beyond the limit is stopped there`() async {
        let server = LoopbackServer([
            "/": LoopbackServer.Step.answer(zeroBomb, fields: "Content-Encoding: gzip\r\n")
        ])

        let outcome = await transport.run(server.url("/"), maximumByteCount: 50_000)

        #expect(outcome.error?.reason == .tooLarge(limit: 50_000))
        #expect(outcome.body.count <= 50_000)
    }

    @Test(arguments: [Flood.manyLines, .longLines, .hints])
    fileprivate func `headers without an end are refused`(flood: Flood) async {
        let piece = Array(flood.piece.utf8)
        let server = LoopbackServer([
            "/": [.text("HTTP/1.1 103 Early Hints\r\n"), .sendForever(piece)]
        ])

        let outcome = await transport.run(server.url("/"))

        #expect(outcome.errorText == "response head too large")
        #expect(outcome.error?.kind == .permanent)
    }
}

/// The part of the header that a hostile server repeats endlessly.
private enum Flood: String, Sendable {
    case manyLines
    case longLines
    case hints

    var piece: String {
        switch self {
        case .manyLines: "X: y\r\n"
        case .longLines: "X: \(String(repeating: "y", count: 1_000))\r\n"
        case .hints: "\r\nHTTP/1.1 103 Early Hints\r\n"
        }
    }
}

/// 200,000 zeros compressed by `gzip -9`; the data consists mostly of one repeated symbol.
private let zeroBomb: [UInt8] =
    [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xED, 0xC1, 0x31, 1, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F,
        0x6D, 6, 0x7F, 0xA0,
    ] + [UInt8](repeating: 0, count: 193)
    + [0x80, 0xD7, 0, 0x7B, 0x58, 0xE0, 0x5C, 0x40, 0x0D, 3, 0]
