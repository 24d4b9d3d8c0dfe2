@testable import Feeds
import Testing

@Suite struct FeedBaseTests {
    // RFC 3986 section 5.4, the examples that a feed can hold.
    @Test(
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"), (".", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
            ("a b\u{E9}.jpg", "http://a/b/c/a%20b%C3%A9.jpg"),
            // An accent makes one character of itself and the slash before it.
            ("/\u{301}/../g", "http://a/g"), ("x/../\u{301}g", "http://a/b/c/%CC%81g"),
            ("//\u{301}g", "http://%CC%81g"), ("..\u{301}/g", "http://a/b/c/..%CC%81/g"),
        ]
    )
    func `references resolve as RFC 3986 requires`(reference: String, url: String) {
        #expect(FeedBase.url("http://a/b/c/d;p?q").resolve(reference) == url)
    }

    @Test func `a base without a path resolves to the root`() {
        #expect(FeedBase.url("http://a").resolve("g") == "http://a/g")
        #expect(FeedBase.url("nonsense").resolve("g") == "g")
    }
}
