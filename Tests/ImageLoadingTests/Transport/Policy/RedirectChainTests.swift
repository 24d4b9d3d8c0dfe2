import Testing

@testable import ImageLoading

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
        #expect(redirects.follow(WebAddress.of("http://a/6")) == CurlFailure.tooManyRedirects)
        #expect(redirects.current.path == "/5")
    }

    @Test(arguments: ["ftp://a/", "file:///a", "gopher://a/", "data:,a", "javascript:alert(1)"])
    func `only http and https are followed`(url: String) throws {
        var redirects = try redirects("http://a/")

        #expect(redirects.follow(WebAddress.of(url))?.kind == .permanent)
    }

    @Test func `TLS is never left, also if it was entered on the way`() throws {
        var redirects = try redirects("http://a/", "https://a/")

        #expect(redirects.follow(WebAddress.of("http://a/")) == CurlFailure.redirectLeavesTLS)
    }

    @Test func `a Location that is no URL is an error`() throws {
        var redirects = try redirects("http://a/")

        #expect(redirects.follow(nil) == CurlFailure.badRedirect)
    }

    @Test(arguments: ["https://a/", "http://a:81/", "http://b/", "http://a.b/"])
    func `another scheme, port or host is away from home`(url: String) throws {
        #expect(try !redirects("http://a/", url).isAtHome)
    }

    @Test func `home once left is never home again`() throws {
        let there = try redirects("http://a/", "http://a/1")
        let back = try redirects("http://a/", "http://b/", "http://a/2")

        #expect(there.isAtHome && there.isOnHomeHost)
        #expect(!back.isAtHome && !back.isOnHomeHost)
    }

    @Test func `the host stays home when the scheme changes`() throws {
        #expect(try redirects("http://a/", "https://a/").isOnHomeHost)
    }

    // Credentials, 2.1
    @Test func `fields that may hold a secret stay at home`() throws {
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
    func `any other status is an answer`(status: Int) {
        #expect(!RedirectChain.isRedirect(status))
    }
}
