import Testing

@testable import ImageLoading

struct InlineBodyTests {
    @Test(arguments: [
        ("data:image/png;base64,aGVsbG8=", "hello"), ("data:image/png;BASE64,aGVsbG8", "hello"),
        ("data:;base64,aGVs%20bG8%3D", "hello"), ("data:;base64,aGVs bG8=", "hello"),
        ("data:,a%20b,c", "a b,c"), ("data:text/plain;charset=x,%41", "A"),
    ])
    func `the bytes inside a data URL come out`(text: String, expected: String) throws {
        let url = try ImageURL(parsing: text, origin: .local)

        #expect(try url.inlineBody() == Array(expected.utf8))
    }

    @Test(arguments: ["data:;base64,a", "data:;base64,!!!!"])
    func `base 64 that isn't any is a fault of the request`(text: String) throws {
        let url = try ImageURL(parsing: text, origin: .local)

        let error = #expect(throws: ImageLoadingError.self) { try url.inlineBody() }
        #expect(error?.stage == .request)
        #expect(error?.kind == .permanent)
    }

    @Test(arguments: ["data:,", "data:;base64,"])
    func `a data URL without data is an empty body`(text: String) throws {
        let url = try ImageURL(parsing: text, origin: .local)

        let error = #expect(throws: ImageLoadingError.self) { try url.inlineBody() }
        #expect(error?.reason == .emptyBody)
    }

    @Test func `a web URL has no body inside`() throws {
        #expect(try ImageURL(parsing: "http://a.example/,x", origin: .local).inlineBody() == nil)
    }
}
