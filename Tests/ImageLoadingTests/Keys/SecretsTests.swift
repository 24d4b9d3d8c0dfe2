import Testing

@testable import ImageLoading

/// What must not end up on a screen or in a log.
struct SecretsTests {
    @Test(arguments: [
        "http://user:secret@bad host/1.png", "http://host:99999/1.png?signature=secret",
        "http://user:secret@", "http://user:se/secret@host/1.png",
        "https://user:se?secret@host/1.png", "http:/user:secret@host/", "user:secret@host/1.png",
        "http://user:sec#secret@host/",
    ])
    func `the error for a bad URL tells neither its password nor its query`(url: String) throws {
        let error = #expect(throws: ImageLoadingError.self) {
            try ImageURL(parsing: url, origin: .local)
        }

        #expect(try !#require(error).description.contains("secret"))
    }

    @Test(arguments: [
        ("https://user:pw@a.example/1.png?key=1#f", "https://a.example/1.png"),
        ("http://a.example/@2x/1@2x.png", "http://a.example/@2x/1@2x.png"),
        ("DATA:image/png;base64,AAAA", "data:"), ("a\u{1B}[2Jb", "a[2Jb"),
    ])
    func `the log gets scheme, host and path`(url: String, expected: String) {
        #expect(LoadLog.publicPart(of: url) == expected)
    }
}
