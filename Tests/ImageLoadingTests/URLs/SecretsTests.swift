import Testing

@testable import ImageLoading

/// Texts that must not appear on a screen or in a log.
struct SecretsTests {
    private static let badURLs = [
        "http://user:secret@bad host/1.png", "http://host:99999/1.png?signature=secret",
        "http://user:secret@", "http://user:se/secret@host/1.png",
        "https://user:se?secret@host/1.png", "http:user:secret@host/", "user:secret@host/1.png",
        "http://user:sec#secret@host/", "//user:secret@host/1.png", "http://user:secret/@host/",
    ]

    @Test(arguments: badURLs)
    func `the error for a bad URL contains neither its password nor its query`(url: String) throws {
        let error = #expect(throws: ImageLoadingError.self) {
            try ImageURL(parsing: url, origin: .local)
        }

        #expect(try !#require(error).description.contains("secret"))
    }

    /// The log receives the text of the request, which may not be a URL.
    @Test(arguments: badURLs)
    func `the log of a bad URL contains neither its password nor its query`(url: String) {
        #expect(!URLParts.redacted(url).contains("secret"))
    }

    @Test(arguments: [
        ("https://user:pw@a.example/1.png?key=1#f", "https://a.example/1.png"),
        ("http://a.example/@2x/1@2x.png", "http://a.example/@2x/1@2x.png"),
        ("DATA:image/png;base64,AAAA", "data:"), ("a\u{1B}[2Jb", "a[2Jb"),
        (" \ndata:image/png;base64,AAAA", "data:"), ("http://[::1]:80/a", "http://[::1]:80/a"),
        ("http://[::1]/a:b", "http://[::1]/a:b"), ("/tmp/1.png", "/tmp/1.png"),
    ])
    func `the log gets scheme, host and path`(url: String, expected: String) {
        #expect(URLParts.redacted(url) == expected)
    }
}
