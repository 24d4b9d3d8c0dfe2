import Testing

@testable import ImageLoading

@Suite struct EntityTagTests {
    @Test(arguments: [
        ("\"a\"", "a", false), ("W/\"a\"", "a", true), ("\"\"", "", false),
        ("\"W/a\"", "W/a", false), ("\"a,b/=~!\"", "a,b/=~!", false),
    ])
    func `a tag is read and written as it was`(field: String, opaque: String, isWeak: Bool) {
        let tag = EntityTag(field)

        #expect(tag?.opaque == opaque)
        #expect(tag?.isWeak == isWeak)
        #expect(tag?.fieldValue == field)
    }

    @Test(arguments: [
        "", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/", "W/a", "W/ \"a\"", "\"a\"b\"", "\"a b\"",
        "\"\u{7F}\"", "\"é\"", "\"\u{FFFD}\"", "\"a\", \"b\"", "*", "\"a\r\nX: y\"",
    ])
    func `what is no tag is refused`(field: String) {
        #expect(EntityTag(field) == nil)
    }

    @Test func `a tag that is too long is refused`() {
        let longest = String(repeating: "a", count: EntityTag.byteLimit)

        #expect(EntityTag("\"\(longest)\"") != nil)
        #expect(EntityTag("\"\(longest)a\"") == nil)
    }

    // RFC 9110, 8.8.3.2, the table.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
        ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
        ("\"1\"", "\"2\"", false, false),
    ])
    func `tags compare as in the RFC's table`(
        one: String,
        other: String,
        strongly: Bool,
        weakly: Bool
    ) throws {
        let one = try #require(EntityTag(one))
        let other = try #require(EntityTag(other))

        #expect(one.stronglyMatches(other) == strongly)
        #expect(other.stronglyMatches(one) == strongly)
        #expect(one.weaklyMatches(other) == weakly)
        #expect(other.weaklyMatches(one) == weakly)
    }
}
