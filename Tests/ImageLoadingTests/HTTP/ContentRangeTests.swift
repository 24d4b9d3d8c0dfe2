import Testing

@testable import ImageLoading

@Suite struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-0/1", 0...0, 1), ("bytes 200-999/1000", 200...999, 1000),
        ("BYTES 200-999/1000", 200...999, 1000), ("bytes 200-999/*", 200...999, nil),
        ("bytes */1000", nil, 1000), ("bytes */*", nil, nil),
    ])
    func `a range of bytes is read`(text: String, bytes: ClosedRange<Int>?, total: Int?) {
        let range = ContentRange(text)

        #expect(range != nil)
        #expect(range?.bytes == bytes)
        #expect(range?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-9", "bytes 0-9/", "bytes /10", "bytes -9/10", "bytes 0-/10",
        "bytes 9-0/10", "bytes 0-10/10", "bytes 0-9/10/10", "bytes 0-9-9/10", "bytes +0-9/10",
        "bytes=0-9/10", "lines 0-9/10", "bytes 0-9/x", "bytes a-b/10", "bytes 0-9/-10",
        "bytes 0-99999999999999999999/*", "bytes 0-9/99999999999999999999", "bytes 0 - 9/10",
        "bytes 0-9223372036854775807/*", "bytes 0-9/\u{0661}0",
    ])
    func `what is no range of bytes is refused`(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
