import Testing

@testable import Feeds

@Suite struct TextHashTests {
    // From the tests that its authors published; files on disk hold such numbers.
    @Test(
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)]
    )
    func `texts have their FNV-1a hashes`(text: String, hash: UInt64) {
        #expect(TextHash.of(text) == hash)
    }
}
