@testable import ImageLoading
import Testing

// F32
@Suite struct RedirectChainTests {
    private func redirects(_ urls: String..., limit: Int = 5) throws -> RedirectChain {
        var redirects = RedirectChain(from: try #require(WebAddress.of(urls[0])), limit: limit)
        for url in urls.dropFirst() {
            #expect(redirects.follow(WebAddress.of(url)) == nil)
        }
        return redirects
    }

    @Test func `a limit of five allows five redirects and no sixth`() throws {
        var redirects = try redirects(
            "http://a/",
            "http://a/1",
            "http://a/2",
            "http://a/3",
            "http://a/4"
        )

        #expect(redirects.follow(WebAddress.of("http://a/5")) == nil)
        #expect(redirects.follow(WebAddress.of("http://a/6")) == .transfer(.tooManyRedirects))
        #expect(redirects.current.path == "/5")
    }

    @Test(arguments: ["ftp://a/", "file:///a", "gopher://a/", "data:,a", "javascript:alert(1)"])
    func `only http and https are followed`(url: String) throws {
        var redirects = try redirects("http://a/")

        #expect(redirects.follow(WebAddress.of(url))?.kind == .permanent)
    }

    @Test func `TLS is never left, also if it was entered on the way`() throws {
        var redirects = try redirects("http://a/", "https://a/")

        let error = redirects.follow(WebAddress.of("http://a/"))
        #expect(error == .transfer(.badURL, "redirect from https to http"))
    }

    @Test func `an invalid Location is an error`() throws {
        var redirects = try redirects("http://a/")

        #expect(redirects.follow(nil) == .transfer(.badURL, "redirect to an invalid URL"))
    }

    @Test(arguments: ["https://a/", "http://a:81/", "http://b/", "http://a.b/"])
    func `another scheme, port or host is another server`(url: String) throws {
        #expect(try !redirects("http://a/", url).isAtHome)
    }

    @Test func `after leaving the URL's own server, it is never trusted again`() throws {
        let there = try redirects("http://a/", "http://a/1")
        let back = try redirects("http://a/", "http://b/", "http://a/2")

        #expect(there.isAtHome && there.isOnHomeHost)
        #expect(!back.isAtHome && !back.isOnHomeHost)
    }

    @Test func `the host stays the URL's own if the scheme changes`() throws {
        #expect(try redirects("http://a/", "https://a/").isOnHomeHost)
    }

    // Credentials, 2.1
    @Test func `fields that may contain a secret are sent only to the URL's own server`() throws {
        let fields = [
            HeaderField("Authorization", "x"), HeaderField("cookie", "x"),
            HeaderField("Private-Token", "x"), HeaderField("Accept", "image/*"),
            HeaderField("If-None-Match", "\"a\""), HeaderField("Range", "bytes=1-"),
        ]

        #expect(try redirects("http://a/", "http://a/1").fields(of: fields) == fields)
        #expect(
            try redirects("http://a/", "http://b/").fields(of: fields).map(\.name)
                == ["Accept", "If-None-Match", "Range"]
        )
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `the five redirects of HTTP are followed`(status: Int) {
        #expect(RedirectChain.isRedirect(status))
    }

    @Test(arguments: [200, 300, 304, 305, 306, 404])
    func `any other status is a final response`(status: Int) {
        #expect(!RedirectChain.isRedirect(status))
    }
}

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
    func `a URL has the parts that libcurl finds`(
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
    func `a text that is not an absolute URL is not a web address`(text: String) {
        #expect(WebAddress.of(text) == nil)
    }

    @Test(arguments: [
        ("/y", "http://a/y"), ("y", "http://a/x/y"), ("../y", "http://a/y"),
        ("?q", "http://a/x/w?q"), ("//b/z", "http://b/z"), ("https://c/", "https://c/"),
        ("/with space", "http://a/with%20space"),
    ])
    func `a relative URL is resolved against its base`(text: String, whole: String) throws {
        let base = try #require(WebAddress.of("http://a/x/w"))

        #expect(WebAddress.of(text, relativeTo: base)?.text == whole)
    }
}

extension WebAddress {
    /// Returns the address as parsed by libcurl.
    static func of(_ text: String, relativeTo base: WebAddress? = nil) -> WebAddress? {
        CurlFunctions()?.address(text, relativeTo: base)
    }
}
