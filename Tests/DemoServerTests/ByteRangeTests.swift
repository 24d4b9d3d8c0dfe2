import Testing

@testable import DemoServer

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
    func `a range header of a ten byte body is read by the rules`(
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
