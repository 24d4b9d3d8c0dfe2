import ImageLoadingTesting
import Testing

@testable import ImageLoading

struct URLPartsTests {
    @Test(
        arguments: [
            ("https://u:p@h:81/a/b?q#f", "https", "u:p@h:81", "h:81", "/a/b"),
            ("http://h", "http", "h", "h", ""), ("http://h?q/x", "http", "h", "h", ""),
            ("file:///a/b.jpg", "file", "", "", "/a/b.jpg"), ("data:,x", "data", nil, nil, ",x"),
            ("//h/a", nil, "h", "h", "/a"), ("/a:b/c", nil, nil, nil, "/a:b/c"),
            ("a/b", nil, nil, nil, "a/b"), ("", nil, nil, nil, ""), ("1a:b", nil, nil, nil, "1a:b"),
            ("?http://h/", nil, nil, nil, ""), ("#:", nil, nil, nil, ""),
            ("http://u@v@h/", "http", "u@v@h", "h", "/"),
            ("http:/\u{301}/h", "http", nil, nil, "/\u{301}/h"),
        ] as [(String, String?, String?, String?, String)]
    )
    func `a text is cut into the parts of RFC 3986`(
        text: String,
        scheme: String?,
        authority: String?,
        hostAndPort: String?,
        path: String
    ) {
        let parts = URLParts(text)

        #expect(parts.scheme.map(String.init) == scheme)
        #expect(parts.authority.map(String.init) == authority)
        #expect(parts.hostAndPort.map(String.init) == hostAndPort)
        #expect(String(parts.path) == path)
    }

    // RFC 3986, 5.4
    @Test(
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
            ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("//\u{301}g", "http://\u{301}g"), ("x/../\u{301}g", "http://a/b/c/\u{301}g"),
        ]
    )
    func `references are resolved as RFC 3986 requires`(reference: String, url: String) {
        #expect(URLParts("http://a/b/c/d;p?q").resolving(reference) == url)
    }

    @Test func `a base without a path means its root, and an invalid URL resolves nothing`() {
        #expect(URLParts("http://a").resolving("g") == "http://a/g")
        #expect(URLParts("http://u:p@a:1?q").resolving("g") == "http://u:p@a:1/g")
        #expect(URLParts("nonsense").resolving("g") == "g")
    }

    @Test(arguments: [
        ("/a b/\u{E9}%.jpg", "file:///a%20b/%C3%A9%25.jpg"),
        ("/a(1)&~!.jpg", "file:///a(1)&~!.jpg"),
        ("/a?b#c", "file:///a%3Fb%23c"),
    ])
    func `every byte of a path is taken literally`(path: String, url: String) {
        #expect(PercentCoding.fileURL(path: path.utf8) == url)
        #expect(ImageURL(filePath: path)?.absoluteString == url)
    }

    @Test(arguments: [
        ("a%20b", "a b"), ("%C3%A9", "\u{E9}"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"),
        ("%ff", "\u{FFFD}"),
    ])
    func `escapes are decoded, and invalid ones stay`(text: String, decoded: String) {
        #expect(PercentCoding.decoded(text) == decoded)
    }

    @Test func `characters that a browser would encode are encoded, and escapes stay`() {
        #expect(PercentCoding.tidied("http://a/b c^\"%20\u{E9}") == "http://a/b%20c%5E%22%20%C3%A9")
    }

    @Test func `the parts of any text are contained in it in order`() {
        var generator = SeededGenerator(seed: 3)
        let pieces = [
            "http", ":", "/", "//", "?", "#", "@", "a", "%", "\u{301}", "\u{0}", "ü", ".",
        ]
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            let parts = URLParts(text)

            let scheme = parts.scheme.map { "\($0):" } ?? ""
            let head = scheme + (parts.authority.map { "//\($0)" } ?? "") + parts.path
            #expect(text.utf8.starts(with: head.utf8))
            _ = (parts.resolving(text), URLParts.redacted(text))
        }
    }

    @Test func `a file URL keeps the bytes that RFC 3986 permits and encodes all others`() {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let kept = Set("/-._~!$&'()*+,;=:@0123456789\(letters)\(letters.uppercased())".utf8)
        let bytes = (0...255).map { UInt8($0) }
        let encoded = bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return kept.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }

        let url = bytes.withUnsafeBufferPointer { PercentCoding.fileURL(path: $0) }

        #expect(url == "file://" + encoded.joined())
        #expect(PercentCoding.fileURL(path: AnySequence(bytes)) == url)
    }
}
