import Testing

@testable import ImageLoading

@Suite struct ResponseHeadReaderTests {
    @Test func `field names are lower case and values trimmed, the last of a name wins`() {
        let head = head(["HTTP/1.1 200 OK", "ETag:  \"a\" ", "etag:\"b\"", "X-Colon: a:b"])

        #expect(head?.headers["etag"] == "\"b\"")
        #expect(head?.headers["x-colon"] == "a:b")
    }

    @Test func `a no-store is not lost behind another line of Cache-Control`() {
        let head = head(["HTTP/1.1 200 OK", "Cache-Control: no-store", "cache-control: max-age=60"])

        #expect(head?.headers["cache-control"] == "no-store, max-age=60")
    }

    @Test(arguments: [("HTTP/1.0 200 OK", "1.0"), ("HTTP/1.1 200 OK", "1.1"), ("HTTP/2 200", "2")])
    func `the version comes from the status line`(line: String, version: String) {
        #expect(head([line])?.httpVersion == version)
        #expect(head([line])?.status == 200)
    }

    @Test func `a status line begins anew`() {
        let head = head(["HTTP/1.1 302 Found", "Location: /x", "", "HTTP/1.1 200 OK", "A: b"])

        #expect(head?.status == 200)
        #expect(head?.headers == ["a": "b"])
    }

    @Test(arguments: ["", "HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 103 Early", "HTTP/1.1 -1 X"])
    func `what has no final status has no head`(line: String) {
        #expect(head([line]) == nil)
    }

    // O4
    @Test(arguments: [
        (["Content-Length: 12"], 12), (["Content-Length: 0"], 0), ([], nil),
        (["Content-Length: -1"], nil), (["Content-Length: x"], nil),
        (["Content-Length: 99999999999999999999"], nil),
        (["Content-Length: 12", "Content-Encoding: gzip"], nil),
        (["Content-Length: 12", "Content-Encoding: identity"], 12),
        (["Content-Length: 12", "Transfer-Encoding: chunked"], nil),
    ])
    func `only a length that counts the bytes we see is expected`(
        fields: [String],
        expected: Int?
    ) {
        #expect(head(["HTTP/1.1 200 OK"] + fields)?.expectedByteCount == expected)
    }

    @Test func `bytes outside of UTF-8 do not stop the reader`() {
        var reader = ResponseHeadReader()

        _ = reader.read(Array("HTTP/1.1 200 OK\r\n".utf8))
        _ = reader.read([0x41, 0x3A, 0xFF, 0xFE, 0x0D, 0x0A])

        #expect(reader.head?.headers["a"] != nil)
    }

    @Test func `too many bytes or too many lines are refused, over all answers together`() {
        var byBytes = ResponseHeadReader()
        var byLines = ResponseHeadReader()
        let long = [UInt8](repeating: 0x41, count: ResponseHeadReader.byteLimit / 2)

        let bytesTaken = [long, long, [0x41]].map { byBytes.read($0) }
        let linesTaken = (0...ResponseHeadReader.lineLimit).filter { _ in byLines.read([0x41]) }

        #expect(bytesTaken == [true, true, false])
        #expect(linesTaken.count == ResponseHeadReader.lineLimit)
    }

    private func head(_ lines: [String]) -> TransferHead? {
        var reader = ResponseHeadReader()
        for line in lines { _ = reader.read(Array("\(line)\r\n".utf8)) }
        return reader.head
    }
}
