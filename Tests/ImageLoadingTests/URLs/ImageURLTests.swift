@testable import ImageLoading
import ImageLoadingTesting
import Testing

struct ImageURLTests {
    @Test(arguments: [
        ("http://a.example/x.jpg", "http://a.example/x.jpg"),
        ("HTTP://A.Example/X.jpg", "http://a.example/X.jpg"),
        ("http://a.example:80/x", "http://a.example/x"),
        ("https://a.example:443/x", "https://a.example/x"),
        ("https://a.example:80/x", "https://a.example:80/x"),
        ("http://a.example:0080/x", "http://a.example/x"),
        ("http://a.example:/x", "http://a.example/x"),
        ("http://a.example", "http://a.example/"),
        ("http://a.example?q=1", "http://a.example/?q=1"),
        ("http://a.example#top", "http://a.example/"),
        ("http://a.example/x#top#2", "http://a.example/x"),
        ("http://[2001:DB8::1]:8080/x", "http://[2001:db8::1]:8080/x"),
        ("http://Me:Pass@A.example/x", "http://Me:Pass@a.example/x"),
        (" \t http://a.example/x \r\n", "http://a.example/x"),
        ("\u{FEFF}\u{A0}http://a.example/x", nil),
        ("\u{A0}http://a.example/x", "http://a.example/x"),
        ("\thttp://a.ex\nample/a\r\nb\t", "http://a.example/ab"),
        // The URL standard's rules for slashes, dots and empty user names.
        ("http:///a.example/x", "http://a.example/x"), ("http:/a.example/x", "http://a.example/x"),
        ("http:\\\\a.example\\x\\y?\\", "http://a.example/x/y?\\"),
        ("http://a.example\\@b/", "http://a.example/@b/"),
        ("http://@a.example/", "http://a.example/"),
        ("https://:@a.example", "https://a.example/"),
        ("http://a.example/a/../b/./c//d", "http://a.example/b/c//d"),
        ("http://a.example/../../b/.", "http://a.example/b/"),
        ("http://a.example/a/%2e%2E/b/%2e/c", "http://a.example/b/c"),
        ("http://a.example/a/b/..?x/../y", "http://a.example/a/?x/../y"),
        ("http://a.example/a/b/.%2e", "http://a.example/a/"),
        ("http://a.example/%2e%2e%2e/a%2e", "http://a.example/%2e%2e%2e/a%2e"),
    ])
    func `spellings of one URL become one text (F31)`(text: String, expected: String?) {
        let url = try? ImageURL(parsing: text, origin: .local)

        #expect(url?.absoluteString == expected)
    }

    @Test(arguments: [
        "http://a.example/b/c//d", "http://a.example/%zz%41%c3", "http://a.example/a|b'[c]",
        "http://a.example/a.../.b/..c", "http://a.example/?a/../b\\c",
        "http://a.example/?b=2&a=1&b=", "http://a.example/?", "http://a.example/x;v=1?q={}[]^`|",
        "http://a.example/x?u=http://B.Example:80/#".replacing("#", with: ""),
    ])
    func `characters of path and query that browsers keep are kept (F31)`(text: String) throws {
        let url = try ImageURL(parsing: text, origin: .local)

        #expect(url.absoluteString == text)
    }

    /// The expected names are those of Python's `idna` package with UTS 46.
    @Test(arguments: [
        ("http://bücher.example/x", "http://xn--bcher-kva.example/x"),
        ("http://u@BÜCHER.example:80/", "http://u@xn--bcher-kva.example/"),
        ("http://b%C3%BCcher.example:81/", "http://xn--bcher-kva.example:81/"),
        ("http://bu\u{308}cher。example/", "http://xn--bcher-kva.example/"),
        ("http://straße.example/", "http://xn--strae-oqa.example/"),
        ("http://пример.example/", "http://xn--e1afmkfd.example/"),
        ("http://a%2Eexample/", "http://a.example/"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
        ("http://%31%32%37.0.0.1/", "http://127.0.0.1/"),
    ])
    func `an international or encoded host is converted to ASCII`(
        text: String,
        expected: String
    ) throws {
        #expect(try ImageURL(parsing: text, origin: .local).absoluteString == expected)
    }

    @Test func `characters that browsers encode are encoded, others in the path than in the query`()
        throws
    {
        let url = try ImageURL(parsing: "http://a.example/\"<>^`{}'?\"<>^`{}'", origin: .local)

        #expect(url.absoluteString == "http://a.example/%22%3C%3E%5E%60%7B%7D'?%22%3C%3E^`{}%27")
    }

    @Test func `spaces and non-ASCII characters are percent-encoded`() throws {
        let url = try ImageURL(parsing: "http://a.example/grün e?ß=😀", origin: .local)

        #expect(url.absoluteString == "http://a.example/gr%C3%BCn%20e?%C3%9F=%F0%9F%98%80")
    }

    @Test(arguments: [
        "", "  \n", "/a/b.jpg", "a/b.jpg", "a.example/x.jpg", "://a.example", "1http://a.example",
        "http:", "http:a.example/x", "http:///?x", "http://?x", "http://:80/", "http://@/",
        "http://a.example:99999/", "http://a.example:0/", "http://a.example:8x/",
        "http://a.example:-1/", "http://a b/", "http://a%2fexample/",
        "http://u v@a.example/", "http://[::1/", "http://[]/", "http://[::1]x/",
        "http://[fe80::1%25eth0]/", "http://a%00b.example/", "http://a.example/a\u{0}b",
        "http://a%40b.example/", "http://%C3.example/", "http://a\u{FFFD}.example/",
        "http://\(String(repeating: "ü", count: 10_000)).example/",
        "http://a.example/\u{1B}[2J", "http://a.example/\u{85}x",
        "http://\(String(repeating: "a", count: 256))/", "file:relative", "file://other/x",
        "file:///a%00b", "data:image/png;base64",
    ])
    func `an invalid URL is refused as a permanent error of the request`(text: String) {
        let error = #expect(throws: ImageLoadingError.self) {
            try ImageURL(parsing: text, origin: .local)
        }

        #expect(error?.stage == .request)
        #expect(error?.kind == .permanent)
        guard case .invalidURL = error?.reason else {
            Issue.record("the reason is \(String(describing: error?.reason))")
            return
        }
    }

    @Test func `the refused text in an error is short and has no control characters`() {
        let text = "http://\u{1B}]0;\u{7}" + String(repeating: "x", count: 5_000)

        let error = #expect(throws: ImageLoadingError.self) {
            try ImageURL(parsing: text, origin: .local)
        }

        guard case .invalidURL(let shown) = error?.reason else {
            Issue.record("another reason")
            return
        }
        #expect(shown.count < 200)
        #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }

    @Test(arguments: [
        ("http://a.example/", true), ("https://a.example/", true), ("file:///x", false),
        ("data:,x", true),
    ])
    func `a feed from the network may only name http, https and data (F32)`(
        text: String,
        isAllowedFromFeed: Bool
    ) {
        #expect((try? ImageURL(parsing: text, origin: .local)) != nil)
        #expect(((try? ImageURL(parsing: text, origin: .remoteFeed)) != nil) == isAllowedFromFeed)
    }

    @Test(arguments: ["ftp://a.example/x", "javascript:alert(1)", "GOPHER://x/"])
    func `a scheme without a loader is refused by policy (F32)`(text: String) {
        let scheme = String(text.prefix { $0 != ":" }).lowercased()

        #expect(
            throws: ImageLoadingError(
                stage: .request,
                kind: .policy,
                reason: .forbiddenScheme(scheme)
            )
        ) {
            try ImageURL(parsing: text, origin: .local)
        }
    }

    @Test func `URLs up to 8 KiB are accepted and longer ones refused, but for data`() {
        let fill = { (head: String, count: Int) in
            head + String(repeating: "a", count: count - head.utf8.count)
        }

        #expect((try? ImageURL(parsing: fill("http://a.example/", 8192), origin: .local)) != nil)
        #expect((try? ImageURL(parsing: fill("http://a.example/", 8193), origin: .local)) == nil)
        #expect((try? ImageURL(parsing: fill("data:,", 100_000), origin: .local)) != nil)
    }

    @Test(arguments: [
        ("http://a.example/x.jpg", "jpg"), ("http://a.example/x.jpg?q=a/b.c", "jpg"),
        ("http://a.example/noext", nil), ("http://a.example", nil), ("http://a.example?x.png", nil),
        ("http://a.example/.jpg", nil), ("http://a.example/x.", nil),
        ("http://a.example/x.y/z", nil),
        ("http://a.example/x.tar.gz", "gz"), ("file:///a/b.PNG", "PNG"), ("data:image/x.png,", nil),
    ])
    func `the extension is taken from the path's last component (F9)`(
        text: String,
        expected: String?
    ) throws {
        let url = try ImageURL(parsing: text, origin: .local)

        #expect(url.pathExtension == expected)
    }

    @Test(arguments: [
        ("file:///a/b.jpg", "/a/b.jpg"), ("FILE://LocalHost/a%20b", "/a b"), ("file:/a", "/a"),
        ("file:///a%3Fb%23?q", "/a?b#"), ("file:///100%", "/100%"), ("file:///gr%C3%BCn", "/grün"),
        ("file:///%FF%41", "/\u{FFFD}A"),
    ])
    func `a file URL's path is percent-decoded`(text: String, path: String) throws {
        let url = try ImageURL(parsing: text, origin: .local)

        #expect(url.filePath == path)
        #expect(url.absoluteString.hasPrefix("file:///"))
    }

    @Test(arguments: ["/a/b.jpg", "/with space/grün#1?.png", "/100%/50%25", "/new\nline"])
    func `a path is unchanged after conversion to a URL and back`(path: String) throws {
        let made = try #require(ImageURL(filePath: path))

        let parsed = try ImageURL(parsing: made.absoluteString, origin: .local)

        #expect(parsed == made)
        #expect(parsed.filePath == path)
    }

    @Test(arguments: ["", "relative/x.jpg", "/nul\u{0}x"])
    func `only absolute paths become file URLs`(path: String) {
        #expect(ImageURL(filePath: path) == nil)
    }

    @Test func `a web URL has no file path`() throws {
        #expect(try ImageURL(parsing: "http://a.example/x", origin: .local).filePath == nil)
    }

    @Test func `any bytes are either refused or become a printable URL that parses to itself`() {
        var generator = SeededGenerator(seed: 31)
        let pieces = [
            "http", "HTTPS", "file", "data", ":", "/", "//", "?", "#", "%", "%41", "@", "[", "]",
            "a.example", "\\", " ", "ü", "\u{0}", "\u{1B}", ".", "..", ":80", ",", "\u{202E}",
        ]
        var acceptedCount = 0
        for round in 0..<5_000 {
            let count = Int.random(in: 0...12, using: &generator)
            // Random text is hardly ever a URL.
            let start = ["", "http://a.example/", "http://", "data:,"][round % 4]
            let text =
                start
                + (0..<count).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                }.joined()

            guard let url = try? ImageURL(parsing: text, origin: .local) else { continue }
            acceptedCount += 1

            let again = try? ImageURL(parsing: url.absoluteString, origin: .local)
            #expect(again == url, "seed 31, round \(round): \(text)")
            #expect(url.absoluteString.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
        #expect(acceptedCount > 100)
    }
}

struct InlineBodyTests {
    @Test(arguments: [
        ("data:image/png;base64,aGVsbG8=", "hello"), ("data:image/png;BASE64,aGVsbG8", "hello"),
        ("data:;base64,aGVs%20bG8%3D", "hello"), ("data:;base64,aGVs bG8=", "hello"),
        ("data:,a%20b,c", "a b,c"), ("data:text/plain;charset=x,%41", "A"),
    ])
    func `the bytes inside a data URL are decoded`(text: String, expected: String) throws {
        let url = try ImageURL(parsing: text, origin: .local)

        #expect(try url.inlineBody() == Array(expected.utf8))
    }

    @Test(arguments: ["data:;base64,a", "data:;base64,!!!!"])
    func `invalid Base64 is an error of the request`(text: String) throws {
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
