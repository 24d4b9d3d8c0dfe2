import Testing

@testable import ImageLoading

@Suite struct TaggedFieldsTests {
    @Test func `fields are written in the order of their tags, in any order of setting`() {
        var fields = TaggedFields()
        fields[text: 9] = "ab"
        fields[number: 2] = -2
        fields[bytes: 5] = [7]

        let minusTwo: [UInt8] = [0xFE] + Array(repeating: 0xFF, count: 7)
        let bytes = fields.encoded(version: 1)

        #expect(bytes == [1, 2, 8, 0] + minusTwo + [5, 1, 0, 7] + [9, 2, 0, 0x61, 0x62])
        let read = TaggedFields(decoding: bytes, version: 1)
        #expect(read?[number: 2] == -2 && read?[bytes: 5] == [7] && read?[text: 9] == "ab")
        #expect(read?[bytes: 3] == nil && read?.encoded(version: 1) == bytes)
    }

    @Test func `a field that is set again is replaced, and one that is set to nil is gone`() {
        var fields = TaggedFields()
        fields[text: 1] = "a"
        fields[text: 2] = "long"
        fields[text: 3] = "c"
        fields[text: 2] = "b"
        fields[text: 1] = nil

        #expect(fields.encoded(version: 4) == [4, 2, 1, 0, 0x62, 3, 1, 0, 0x63])
    }

    @Test func `fields beyond the limit are left out, and the rest are written`() {
        var fields = TaggedFields()
        fields[bytes: 1] = [UInt8](repeating: 1, count: TaggedFields.byteLimit - 10)
        fields[bytes: 2] = [UInt8](repeating: 2, count: 100)
        fields[bytes: 3] = [3]
        fields[bytes: 4] = [UInt8](repeating: 4, count: 1 << 17)

        let bytes = fields.encoded(version: 1)

        #expect(bytes.count == TaggedFields.byteLimit - 2 && bytes.suffix(4) == [3, 1, 0, 3])
    }

    @Test(arguments: [[2], [1, 1, 1], [1, 1, 2, 0, 0], [1, 1, 0, 1]])
    func `bytes of another version or truncated bytes cannot be read`(bytes: [UInt8]) {
        #expect(TaggedFields(decoding: bytes, version: 1) == nil)
    }

    @Test func `if a tag is repeated, the last one counts`() {
        let fields = TaggedFields(decoding: [1, 1, 1, 0, 5, 1, 1, 0, 6], version: 1)

        #expect(fields?[bytes: 1] == [6])
    }
}
