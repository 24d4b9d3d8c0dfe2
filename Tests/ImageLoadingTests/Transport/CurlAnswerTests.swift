@testable import ImageLoading
import Testing

@Suite struct CurlAnswerTests {
    private func receive(_ lines: [String]) -> (answer: CurlAnswer, last: CurlAnswer.HeaderDecision)
    {
        var answer = CurlAnswer()
        var last = CurlAnswer.HeaderDecision.resume
        for line in lines { last = answer.receiveHeaderLine(Array((line + "\r\n").utf8)) }
        return (answer, last)
    }

    @Test(arguments: [
        (200, true), (206, true), (404, true), (503, true), (100, false), (103, false),
        (301, false), (304, false), (401, false), (407, false),
    ])
    func `a head is final unless another response may follow it`(status: Int, isFinal: Bool) {
        let (answer, last) = receive(["HTTP/1.1 \(status) X", ""])

        #expect(last == (isFinal ? .isFinal : status >= 200 ? .isComplete : .resume))
        #expect(answer.isHeadComplete == (status >= 200))
    }

    @Test func `a head is not complete before its empty line`() {
        let (answer, last) = receive(["HTTP/1.1 200 OK", "A: b"])

        #expect(last == .resume)
        #expect(!answer.isHeadComplete && answer.head != nil)
    }

    @Test func `the head of a second response is not complete because the first one was`() {
        let (answer, _) = receive(["HTTP/1.1 401 X", "", "HTTP/1.1 200 OK", "A: b"])

        #expect(!answer.isHeadComplete)
    }

    @Test(arguments: [401, 407])
    func `a login challenge is remembered once its response has ended`(status: Int) {
        let answer = receive(["HTTP/1.1 \(status) X", "", "HTTP/1.1 200 OK", ""]).answer

        #expect(answer.asksForLogin)
        #expect(answer.head?.status == 200)
    }

    @Test func `header lines without end are too many`() {
        let lines = (0...ResponseHeadReader.lineLimit).map { "X-\($0): y" }

        #expect(receive(["HTTP/1.1 200 OK"] + lines).last == .tooLarge)
    }

    @Test(arguments: [
        (["HTTP/1.1 302 X", "Location: /b", ""], "/b"), (["HTTP/1.1 302 X", ""], nil),
        (["HTTP/1.1 302 X", "Location:", ""], nil), (["HTTP/1.1 200 X", "Location: /b", ""], nil),
        (["HTTP/1.1 304 X", "Location: /b", ""], nil),
    ])
    func `only a redirect with a target is followed`(lines: [String], location: String?) {
        #expect(receive(lines).answer.location == location)
    }

    @Test func `a body is kept up to the limit and not a byte more`() {
        var answer = receive(["HTTP/1.1 200 OK", ""]).answer

        #expect(answer.receiveBody(byteCount: 60, limit: 100) == .keep)
        #expect(answer.receiveBody(byteCount: 40, limit: 100) == .keep)
        #expect(answer.receiveBody(byteCount: 1, limit: 100) == .tooLarge)
    }

    @Test func `a redirect's body is skipped if that is cheaper than a new connection`() {
        var answer = receive(["HTTP/1.1 301 X", "Location: /b", ""]).answer

        #expect(answer.receiveBody(byteCount: CurlAnswer.redirectBodyLimit, limit: 1) == .drop)
        #expect(answer.receiveBody(byteCount: 1, limit: 1) == .breakOff)
    }
}

@Suite struct ResponseHeadReaderTests {
    @Test func `field names are lower case and values trimmed, the last of a name wins`() {
        let head = head(["HTTP/1.1 200 OK", "ETag:  \"a\" ", "etag:\"b\"", "X-Colon: a:b"])

        #expect(head?.headers["etag"] == "\"b\"")
        #expect(head?.headers["x-colon"] == "a:b")
    }

    @Test func `a no-store is found on a second line of Cache-Control`() {
        let head = head(["HTTP/1.1 200 OK", "Cache-Control: no-store", "cache-control: max-age=60"])

        #expect(head?.headers["cache-control"] == "no-store, max-age=60")
    }

    @Test(arguments: [("HTTP/1.0 200 OK", "1.0"), ("HTTP/1.1 200 OK", "1.1"), ("HTTP/2 200", "2")])
    func `the version is read from the status line`(line: String, version: String) {
        #expect(head([line])?.httpVersion == version)
        #expect(head([line])?.status == 200)
    }

    @Test func `a status line starts a new head`() {
        let head = head(["HTTP/1.1 302 Found", "Location: /x", "", "HTTP/1.1 200 OK", "A: b"])

        #expect(head?.status == 200)
        #expect(head?.headers == ["a": "b"])
    }

    @Test(arguments: ["", "HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 103 Early", "HTTP/1.1 -1 X"])
    func `without a final status there is no head`(line: String) {
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
    func `only a length that counts the delivered bytes is expected`(
        fields: [String],
        expected: Int?
    ) {
        #expect(head(["HTTP/1.1 200 OK"] + fields)?.expectedByteCount == expected)
    }

    @Test func `each byte of a Location outside of ASCII is percent-encoded`() {
        var reader = ResponseHeadReader()

        _ = reader.read(Array("HTTP/1.1 302 Found\r\n".utf8))
        _ = reader.read(Array("Location: /caf".utf8) + [0xE9] + Array("/\u{E9} x \r\n".utf8))

        #expect(reader.head?.headers["location"] == "/caf%E9/%C3%A9 x")
    }

    @Test func `bytes outside of UTF-8 do not stop the reader`() {
        var reader = ResponseHeadReader()

        _ = reader.read(Array("HTTP/1.1 200 OK\r\n".utf8))
        _ = reader.read([0x41, 0x3A, 0xFF, 0xFE, 0x0D, 0x0A])

        #expect(reader.head?.headers["a"] != nil)
    }

    @Test func `too many bytes or too many lines are refused, over all responses together`() {
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
