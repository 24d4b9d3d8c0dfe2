import Testing

@testable import Feeds

/// `robots.txt` and the `Link` field.
struct WebRulesTests {
    // MARK: robots.txt

    /// Cases of RFC 9309, 2.2.2 and 5.1, and of Google's documentation of the same rules.
    @Test(arguments: [
        ("/fish", "/fish", false), ("/fish", "/fish.html", false), ("/fish", "/Fish.asp", true),
        ("/fish", "/catfish", true), ("/fish", "/?id=fish", true),
        ("/fish*", "/fishheads/yummy.html", false),
        ("/fish/", "/fish", true), ("/fish/", "/fish/?id=anything", false),
        ("/fish/", "/fish.html", true),
        ("/*.php", "/index.php", false), ("/*.php", "/folder/any.php.file.html", false),
        ("/*.php", "/windows.PHP", true), ("/*.php$", "/filename.php", false),
        ("/*.php$", "/filename.php?parameters", true), ("/*.php$", "/filename.php5", true),
        ("/fish*.php", "/fishheads/catfish.php?parameters", false),
        ("/fish*.php", "/Fish.PHP", true),
        ("*", "/", false), ("/", "/", false), ("/$", "/", false), ("/$", "/a", true),
        ("", "/a", true),
        ("/a%3cd.html", "/a%3Cd.html", false), ("/a%62c", "/abc", false), ("/abc", "/a%62c", false),
        ("/a%2fb", "/a/b", true), ("/grün", "/gr%C3%BCn", false), ("/**a**", "/ba", false),
        ("/*$", "/x", false),
        ("/{a}", "/%7Ba%7D", false), ("/a?b='", "/a?b=%27", false), ("/a'", "/a'", false),
        ("/a%27", "/a'", false), ("/\"<>^`", "/%22%3C%3E%5E%60", false),
    ])
    func `a rule matches the start of a path`(rule: String, path: String, isAllowed: Bool) {
        let rules = RobotsRules(
            Array("User-agent: *\nDisallow: \(rule)".utf8),
            program: "termgallery"
        )

        #expect(rules.allows(path) == isAllowed)
    }

    @Test(arguments: [
        ("Allow: /p\nDisallow: /", "/page", true), ("Disallow: /\nAllow: /p", "/page", true),
        ("Allow: /folder\nDisallow: /folder", "/folder/page", true),
        ("Allow: /page\nDisallow: /*.htm", "/page.htm", false),
        ("Allow: /$\nDisallow: /", "/", true), ("Allow: /$\nDisallow: /", "/page.htm", false),
        ("Disallow: /", "/robots.txt", true),
    ])
    func `the longest rule decides, and if two are equally long, allow`(
        rules: String,
        path: String,
        isAllowed: Bool
    ) {
        let rules = RobotsRules(Array("user-agent: *\n\(rules)".utf8), program: "termgallery")

        #expect(rules.allows(path) == isAllowed)
    }

    @Test(arguments: [
        ("User-agent: other\nDisallow: /", true), ("User-agent: TermGallery\nDisallow: /", false),
        ("User-agent: termgallery/1.0\nDisallow: /", false),
        ("User-agent: *\nDisallow: /\nUser-agent: termgallery\nAllow: /", true),
        ("User-agent: termgallery\nUser-agent: other\nDisallow: /", false),
        (
            "User-agent: other\nDisallow: /x\n\nUser-agent: termgallery\nDisallow: /y\nUser-agent: TermGallery\nDisallow: /a",
            false
        ),
        ("User-agent: termgallerybot\nDisallow: /", true), ("Disallow: /", true), ("", true),
        ("User-agent: *\nSitemap: http://h/s\nDisallow: / # all", false),
        ("\u{FEFF}User-agent: *\nDisallow: /", false), ("User-agent : *\r\nDISALLOW:/\r\n", false),
    ])
    func `the rules of the groups that name the program apply, or else the * group`(
        text: String,
        isAllowed: Bool
    ) {
        #expect(RobotsRules(Array(text.utf8), program: "termgallery").allows("/a") == isAllowed)
    }

    @Test func `the pause is the requested one`() {
        let text = "User-agent: *\nCrawl-delay: 2.5\nDisallow: /x"

        #expect(RobotsRules(Array(text.utf8), program: "termgallery").delay == 2.5)
        #expect(RobotsRules(Array("user-agent:*\ncrawl-delay:nan".utf8), program: "t").delay == nil)
    }

    @Test func `a rule of many stars takes linear time`() {
        let rule = String(repeating: "/*a", count: 500) + "b"
        let rules = RobotsRules(Array("User-agent: *\nDisallow: \(rule)".utf8), program: "t")

        #expect(rules.allows(String(repeating: "/aaaaaaaa", count: 500)))
    }

    // MARK: Link

    @Test(arguments: [
        (
            "<https://h/?page=2>; rel=\"next\", <https://h/?page=9>; rel=\"last\"",
            "https://h/?page=2"
        ),
        (
            "<https://h/?page=9>; rel=\"last\", <https://h/?page=2>; rel=\"next\"",
            "https://h/?page=2"
        ),
        ("</a,b;c>;rel=next", "/a,b;c"), ("<a>; rel=\"prev NEXT\"", "a"), ("<a>; REL = next", "a"),
        ("<a>; title=\"x, <b>; rel=next\"; rel=up, <c>; rel=next", "c"),
        ("<a>; rel=up; rel=next", nil), ("<a>; rel=nextpage", nil),
        ("<a>; anchor=\"/x\"; rel=next", nil),
        ("<a", nil), ("a; rel=next", nil), ("", nil), ("<>; rel=next", nil),
        ("<a>; rel=\"next", "a"),
        ("<a>; title=\"\\\"; rel=next\"; rel=prev", nil),
    ])
    func `the next page is the URL with that relation`(field: String, expected: String?) {
        #expect(LinkHeader.address(relation: "next", in: field) == expected)
    }
}
