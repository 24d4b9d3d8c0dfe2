import Testing

@testable import ImageLoading

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
    func `a head is final unless another answer may follow it`(status: Int, isFinal: Bool) {
        let (answer, last) = receive(["HTTP/1.1 \(status) X", ""])

        #expect(last == (isFinal ? .isFinal : .resume))
        #expect(answer.isHeadComplete == (status >= 200))
    }

    @Test func `a head is not complete before its empty line`() {
        let (answer, last) = receive(["HTTP/1.1 200 OK", "A: b"])

        #expect(last == .resume)
        #expect(!answer.isHeadComplete && answer.head != nil)
    }

    @Test(arguments: [401, 407])
    func `a question for a login is remembered when its answer has come`(status: Int) {
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
    func `only a redirect that names a place leads anywhere`(lines: [String], location: String?) {
        #expect(receive(lines).answer.location == location)
    }

    @Test func `a body is kept up to the limit and not a byte further`() {
        var answer = receive(["HTTP/1.1 200 OK", ""]).answer

        #expect(answer.receiveBody(byteCount: 60, limit: 100) == .keep)
        #expect(answer.receiveBody(byteCount: 40, limit: 100) == .keep)
        #expect(answer.receiveBody(byteCount: 1, limit: 100) == .tooLarge)
    }

    @Test func `a redirect's body is dropped while that is cheaper than a new connection`() {
        var answer = receive(["HTTP/1.1 301 X", "Location: /b", ""]).answer

        #expect(answer.receiveBody(byteCount: CurlAnswer.redirectBodyLimit, limit: 1) == .drop)
        #expect(answer.receiveBody(byteCount: 1, limit: 1) == .breakOff)
    }
}
