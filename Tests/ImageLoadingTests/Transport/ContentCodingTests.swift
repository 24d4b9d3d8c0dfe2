import Testing

@testable import ImageLoading

/// Compressed bodies, which are decompressed and never considered complete before their end.
@Suite struct ContentCodingTests {
    /// "abcabcabcd" in each form that is sent.
    enum Form: String, CaseIterable {
        case gzip
        case gzipMembers
        case zlib
        case rawDeflate

        var coding: String { self == .gzip || self == .gzipMembers ? "gzip" : "deflate" }

        var bytes: [UInt8] {
            let raw: [UInt8] = [75, 76, 74, 78, 4, 163, 20, 0]
            let gzip = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3] + raw + [210, 255, 247, 139, 10, 0, 0, 0]
            return switch self {
            case .gzip: gzip
            case .gzipMembers: gzip + gzip
            case .zlib: [120, 218] + raw + [21, 20, 3, 215]
            case .rawDeflate: raw
            }
        }

        var text: String { self == .gzipMembers ? "abcabcabcdabcabcabcd" : "abcabcabcd" }
    }

    private let transport = CurlTransport(configuration: .patient)

    private func fetch(_ bytes: [UInt8], coding: String) async -> TransferOutcome {
        let answer = LoopbackServer.Step.answer(bytes, fields: "Content-Encoding: \(coding)\r\n")
        let server = LoopbackServer(["/": answer])
        return await transport.run(server.url("/"))
    }

    @Test(arguments: Form.allCases)
    func `a compressed body is decompressed`(form: Form) async {
        let outcome = await fetch(form.bytes, coding: form.coding)

        #expect(outcome.body == Array(form.text.utf8) && outcome.error == nil)
        #expect(outcome.head?.expectedByteCount == nil)
    }

    @Test(arguments: Form.allCases)
    func `a compressed body that ends early is a lost connection`(form: Form) async {
        // The length is as announced, so only the compressed data shows that the body is truncated.
        let end = form == .gzipMembers ? form.bytes.count / 2 : form.bytes.count
        for count in [1, end / 2, end - 1] {
            let outcome = await fetch(Array(form.bytes.prefix(count)), coding: form.coding)

            #expect(outcome.error?.isLostConnection == true, "\(count) bytes")
            #expect(outcome.error?.isRetryable == true)
        }
    }

    @Test func `a connection that ends a compressed body without a length is lost`() async {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
        let server = LoopbackServer([
            "/": [.text(head), .send(Array(Form.gzip.bytes.dropLast(9))), .close]
        ])

        let outcome = await transport.run(server.url("/"))

        #expect(outcome.error?.isLostConnection == true)
    }

    @Test func `fifty thousand empty members before the last need no deep stack`() async {
        let empty: [UInt8] =
            [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0] + [UInt8](repeating: 0, count: 8)
        let many = Array(repeatElement(empty, count: 50_000).joined())

        let outcome = await fetch(many + Form.gzip.bytes, coding: "gzip")

        #expect(outcome.body == Array("abcabcabcd".utf8) && outcome.error == nil)
    }

    @Test func `bytes after the end are not read`() async {
        let outcome = await fetch(Form.gzip.bytes + [0, 1, 2], coding: "x-gzip")

        #expect(outcome.body == Array("abcabcabcd".utf8) && outcome.error == nil)
    }

    @Test(arguments: ["br", "zstd", "gzip, gzip", "rot13"])
    func `a coding that was not offered is an error`(coding: String) async {
        let outcome = await fetch([1, 2, 3], coding: coding)

        #expect(outcome.error == .transfer(.badEncoding))
    }

    @Test(arguments: ["identity", ""])
    func `an unknown coding leaves the body unchanged`(coding: String) async {
        let outcome = await fetch([1, 2, 3], coding: coding)

        #expect(outcome.body == [1, 2, 3] && outcome.error == nil)
    }

    @Test func `a wrong checksum at the end of compressed data is reported`() async {
        var bytes = Form.gzip.bytes
        bytes[bytes.count - 5] ^= 1

        let outcome = await fetch(bytes, coding: "gzip")

        #expect(outcome.error == .transfer(.badEncoding))
    }

    @Test func `a compressed error page gives its status, complete or not`() async {
        let fields = "Content-Encoding: gzip\r\n"
        let text = "HTTP/1.1 404 No\r\nContent-Length: 5\r\n\(fields)\r\n"
        let server = LoopbackServer(["/": [.text(text), .send([31, 139, 8, 0, 0])]])
        let downloader = ImageDownloader(transport: transport)

        let error = await #expect(throws: ImageLoadingError.self) {
            _ = try await downloader.body(for: DownloadRequest(url: server.url("/")))
        }

        #expect(error?.httpStatus == 404)
    }
}
