import Decoders
@testable import DemoServer
import Testing

struct ImageReplyTests {
    private func reply(
        _ change: (inout DemoImageRequest) -> Void = { _ in },
        faults: Faults = Faults(),
        entityTag: String = "\"t\""
    ) -> Reply {
        var request = DemoImageRequest(path: "/pictures/1.png")
        change(&request)
        return Reply.image(
            Array("0123456789".utf8),
            format: .png,
            request: request,
            faults: faults,
            entityTag: entityTag
        )
    }

    @Test func `an image is sent with its type, its tag and support for ranges`() {
        let reply = reply()

        #expect(reply.status == 200)
        #expect(reply.contentType == "image/png")
        #expect(reply.headers["ETag"] == "\"t\"")
        #expect(reply.headers["Accept-Ranges"] == "bytes")
        #expect(reply.announcedLength == 10)
    }

    @Test(arguments: [
        ("\"t\"", 304), ("W/\"t\"", 304), ("\"a\", \"t\"", 304), ("*", 304), ("\"u\"", 200),
        ("t", 200), ("", 200),
    ])
    func `a matching tag gives 304, any other the image`(header: String, status: Int) {
        let reply = reply { $0.ifNoneMatch = header }

        #expect(reply.status == status)
        #expect(reply.body.isEmpty == (status == 304))
    }

    @Test func `without a tag nothing matches`() {
        #expect(reply({ $0.ifNoneMatch = "*" }, entityTag: "").status == 200)
        #expect(reply(entityTag: "").headers["ETag"] == nil)
    }

    /// RFC 9110, 13.1.5: If-Range takes strong tags only.
    @Test(arguments: [(nil, 206), ("\"t\"", 206), ("\"u\"", 200), ("W/\"t\"", 200)])
    func `a range is served if the tag is still the same`(ifRange: String?, status: Int) {
        let reply = reply {
            $0.range = "bytes=2-4"
            $0.ifRange = ifRange
        }

        #expect(reply.status == status)
        #expect(
            String(decoding: reply.body, as: UTF8.self) == (status == 206 ? "234" : "0123456789")
        )
        #expect(reply.headers["Content-Range"] == (status == 206 ? "bytes 2-4/10" : nil))
    }

    @Test func `a range beyond the end is 416 and states the length`() {
        let reply = reply { $0.range = "bytes=10-" }

        #expect(reply.status == 416)
        #expect(reply.headers["Content-Range"] == "bytes */10")
    }

    @Test func `corrupt inverts bytes only in the middle`() {
        let body = reply(faults: Faults(isCorrupt: true)).body
        let whole = Array("0123456789".utf8)

        #expect(body[..<4] == whole[..<4])
        #expect(body[4] != whole[4])
        #expect(body[5...] == whole[5...])
    }

    @Test func `redirects count down and keep the rest of the query`() {
        let request = DemoImageRequest(path: "/pictures/1.jpg", query: "latency=5&redirect=2")

        let first = Reply.withoutImage(request, faults: Faults(redirects: 2))
        let last = Reply.withoutImage(request, faults: Faults(redirects: 1))

        #expect(first?.status == 302)
        #expect(first?.headers["Location"] == "/pictures/1.jpg?latency=5&redirect=1")
        #expect(last?.headers["Location"] == "/pictures/1.jpg?latency=5")
    }
}

struct ByteRangeTests {
    /// RFC 9110, 14.1.2 and 14.2.
    @Test(arguments: [
        (nil, ByteRange.whole), ("bytes=0-3", .part(0..<4)), ("bytes=4-", .part(4..<10)),
        ("bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)), ("bytes=0-99", .part(0..<10)),
        ("bytes=9-9", .part(9..<10)), ("bytes=10-", .unsatisfiable),
        ("bytes=10-12", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=3-2", .whole),
        ("bytes=0-1,4-5", .whole), ("bytes=a-b", .whole), ("bytes=-", .whole),
        ("items=0-1", .whole), ("bytes=--1", .whole), ("bytes=+1-2", .whole),
        ("bytes=0-99999999999999999999", .whole),
        ("bytes=0-9223372036854775807", .part(0..<10)),
    ])
    func `range headers for a body of ten bytes are read by the rules`(
        header: String?,
        expected: ByteRange
    ) {
        #expect(ByteRange(header: header, length: 10) == expected)
    }

    @Test func `an empty body satisfies no range`() {
        #expect(ByteRange(header: "bytes=0-", length: 0) == .unsatisfiable)
        #expect(ByteRange(header: "bytes=-5", length: 0) == .unsatisfiable)
    }
}
