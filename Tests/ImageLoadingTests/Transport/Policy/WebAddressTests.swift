import Testing

@testable import ImageLoading

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("http://A.Example/x?y", "http", "a.example", 80, "/x"),
        ("HTTPS://a.example", "https", "a.example", 443, "/"),
        ("https://a.example:8443/", "https", "a.example", 8443, "/"),
        ("http://user:pw@a.example/", "http", "a.example", 80, "/"),
        ("http://evil.example@a.example/", "http", "a.example", 80, "/"),
        ("http://[::1]:81/", "http", "[::1]", 81, "/"),
        ("http://0x7f.1/", "http", "127.0.0.1", 80, "/"),
        ("http://2130706433/", "http", "127.0.0.1", 80, "/"),
        ("http://017700000001/", "http", "127.0.0.1", 80, "/"),
        ("file:///etc/passwd", "file", "", 0, "/etc/passwd"),
    ])
    func `a URL has the parts that libcurl asks for`(
        text: String,
        scheme: String,
        host: String,
        port: Int,
        path: String
    ) throws {
        let address = try #require(WebAddress.of(text))

        #expect(address.scheme == scheme)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.path == path)
    }

    @Test(arguments: ["", " ", "a", "/a", "//a/b", "http://", "http://[", "http://a:99999/"])
    func `what is no absolute URL has none`(text: String) {
        #expect(WebAddress.of(text) == nil)
    }

    @Test(arguments: [
        ("/y", "http://a/y"), ("y", "http://a/x/y"), ("../y", "http://a/y"),
        ("?q", "http://a/x/w?q"), ("//b/z", "http://b/z"), ("https://c/", "https://c/"),
        ("/with space", "http://a/with%20space"),
    ])
    func `a relative URL goes on from its base`(text: String, whole: String) throws {
        let base = try #require(WebAddress.of("http://a/x/w"))

        #expect(WebAddress.of(text, relativeTo: base)?.text == whole)
    }
}
