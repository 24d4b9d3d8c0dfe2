import Testing

@testable import ImageLoading

// D5
@Suite struct CookieJarTests {
    private var jar = CookieJar { $0 == "past" ? 1 : $0 == "future" ? 10_000 : nil }

    private mutating func take(_ field: String, from url: String, at now: Int = 100) throws {
        jar.take(field, from: try #require(WebAddress.of(url)), now: now)
    }

    private func sent(to url: String, at now: Int = 100) throws -> String? {
        jar.field(for: try #require(WebAddress.of(url)), now: now)?.value
    }

    @Test(arguments: [
        ("a=1", "a=1"), (" a = 1 ", "a=1"), ("a=", "a="), ("a=b=c", "a=b=c"),
        ("a=1; Path=/", "a=1"), ("a=1; HttpOnly; SameSite=Lax", "a=1"),
        ("a=1; Path=nonsense", "a=1"),
        ("a=\"q\"", "a=\"q\""), ("a=1; max-age=nonsense", "a=1"),
    ])
    mutating func `a cookie is sent back to its host`(field: String, expected: String) throws {
        try take(field, from: "http://a.example/")

        #expect(try sent(to: "http://a.example:81/x") == expected)
    }

    @Test(arguments: ["", "a", "=1", ";", "a\u{1}=1", "a=1\u{7F}", "a=1; Secure"])
    mutating func `an invalid cookie for http is not stored`(field: String) throws {
        try take(field, from: "http://a.example/")

        #expect(try sent(to: "https://a.example/") == nil)
    }

    @Test(arguments: ["http://b.example/", "http://sub.a.example/", "http://example/"])
    mutating func `a cookie is never sent to another host, whatever its Domain`(
        url: String
    ) throws {
        try take("a=1; Domain=example", from: "http://a.example/")

        #expect(try sent(to: url) == nil)
    }

    @Test(arguments: [
        ("/x", "/x", true), ("/x", "/x/y", true), ("/x", "/xy", false), ("/x/", "/x/y", true),
        ("/x/", "/x", false), ("/", "/y", true),
    ])
    mutating func `a path applies to all paths below it`(
        path: String,
        asked: String,
        isSent: Bool
    ) throws {
        try take("a=1; Path=\(path)", from: "http://a.example/")

        #expect(try sent(to: "http://a.example\(asked)") == (isSent ? "a=1" : nil))
    }

    @Test mutating func `without a path a cookie applies to the URL's folder`() throws {
        try take("a=1", from: "http://a.example/x/y/z")

        #expect(try sent(to: "http://a.example/x/y/other") == "a=1")
        #expect(try sent(to: "http://a.example/x") == nil)
    }

    @Test(arguments: ["a=2", "a=2; Path=/x", "a=; Max-Age=0"])
    mutating func `a response over http changes no secure cookie`(field: String) throws {
        try take("a=1; Secure", from: "https://a.example/")

        try take(field, from: "http://a.example/x/1")

        #expect(try sent(to: "https://a.example/x/1") == "a=1")
    }

    @Test mutating func `a secure cookie is sent over TLS only`() throws {
        try take("a=1; Secure", from: "https://a.example/")

        #expect(try sent(to: "https://a.example/") == "a=1")
        #expect(try sent(to: "http://a.example/") == nil)
    }

    @Test(arguments: [
        ("a=1; Max-Age=10", 109, true), ("a=1; Max-Age=10", 110, false),
        ("a=1; Max-Age=0", 100, false), ("a=1; Max-Age=-5", 100, false),
        ("a=1; Expires=past", 100, false), ("a=1; Expires=future", 9_999, true),
        ("a=1; Expires=future", 10_000, false), ("a=1; Expires=nonsense", 99_999, true),
        ("a=1; Expires=past; Max-Age=10", 105, true),
        ("a=1; Max-Age=9223372036854775807", 35_000_000, false),
    ])
    mutating func `a cookie expires as specified, and Max-Age takes precedence`(
        field: String,
        now: Int,
        isSent: Bool
    ) throws {
        try take(field, from: "http://a.example/")

        #expect(try sent(to: "http://a.example/", at: now) == (isSent ? "a=1" : nil))
    }

    @Test
    mutating func `a cookie of the same name and path is replaced, and an expired one removed`()
        throws
    {
        try take("a=1", from: "http://a.example/")
        try take("a=2", from: "http://a.example/")
        #expect(try sent(to: "http://a.example/") == "a=2")

        try take("a=; Max-Age=0", from: "http://a.example/")
        #expect(try sent(to: "http://a.example/") == nil)
    }

    @Test mutating func `longer paths are sent first`() throws {
        try take("a=1; Path=/", from: "http://a.example/")
        try take("b=2; Path=/x", from: "http://a.example/")

        #expect(try sent(to: "http://a.example/x") == "b=2; a=1")
    }

    @Test mutating func `neither one host nor many can fill the memory`() throws {
        for number in 0..<200 { try take("c\(number)=1", from: "http://a.example/") }
        try take("big=\(String(repeating: "x", count: 5_000))", from: "http://a.example/")
        let ofOneHost = try sent(to: "http://a.example/") ?? ""
        for number in 0..<CookieJar.hostLimit { try take("a=1", from: "http://h\(number)/") }

        #expect(ofOneHost.split(separator: ";").count == CookieJar.cookieLimit)
        #expect(!ofOneHost.contains("big") && ofOneHost.contains("c199"))
        #expect(try sent(to: "http://a.example/") == nil)
        #expect(try sent(to: "http://h0/") == "a=1")
    }

    @Test mutating func `a request never carries more cookies than a server accepts`() throws {
        let value = String(repeating: "x", count: 1_000)
        for number in 0..<20 { try take("c\(number)=\(value)", from: "http://a.example/") }

        let count = try sent(to: "http://a.example/")?.utf8.count ?? 0
        #expect(count > 5_000 && count <= CookieJar.sentByteLimit)
    }

    @Test mutating func `clearing forgets them all`() throws {
        try take("a=1", from: "http://a.example/")

        jar.removeAll()

        #expect(try sent(to: "http://a.example/") == nil)
    }
}
