import Testing

@testable import ImageLoading

@Suite struct RetryAfterTests {
    /// 1994-11-06 08:49:37 UTC.
    let now = 784_111_777

    @Test(arguments: [
        ("0", 0), ("120", 120), (" 7 ", 7), ("86400", 86_400),
        ("86401", 86_400), ("99999999999999999999999", 86_400),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60),
        ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("Sun, 06 Nov 2094 08:49:37 GMT", 86_400),
    ])
    func `seconds and dates are read, and held between now and a day`(text: String, seconds: Int) {
        let head = TransferHead(status: 503, expectedByteCount: 0, headers: ["retry-after": text])

        #expect(RetryAfter.pause(in: head, at: now) == .seconds(seconds))
    }

    @Test(arguments: ["", " ", "soon", "-1", "1.5", "1e3", "１"])
    func `what is neither is not believed`(text: String) {
        let head = TransferHead(status: 503, expectedByteCount: 0, headers: ["retry-after": text])

        #expect(RetryAfter.pause(in: head, at: now) == nil)
    }
}
