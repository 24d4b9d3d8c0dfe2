import Testing

@testable import ImageLoading

// Proxies from the environment and from an option.
@Suite struct ProxyRuleTests {
    private static let environments: [([String: String], String, String?)] = [
        (["http_proxy": "h"], "http://a/", "h"), (["http_proxy": "h"], "https://a/", nil),
        (["https_proxy": "s"], "https://a/", "s"), (["HTTPS_PROXY": "S"], "https://a/", "S"),
        (["https_proxy": "s"], "http://a/", nil), (["HTTPS_PROXY": "S"], "http://a/", nil),
        (["https_proxy": "s", "HTTPS_PROXY": "S"], "https://a/", "s"),
        (["all_proxy": "l"], "http://a/", "l"), (["ALL_PROXY": "L"], "https://a/", "L"),
        (["http_proxy": "h", "all_proxy": "l"], "http://a/", "h"),
        (["http_proxy": "", "all_proxy": "l"], "http://a/", "l"), ([:], "http://a/", nil),
    ]

    private func proxy(
        for url: String,
        option: String? = nil,
        _ environment: [String: String]
    ) throws -> String? {
        ProxyRule(proxy: option, environment: environment)
            .proxy(for: try #require(WebAddress.of(url)))
    }

    @Test(arguments: environments)
    func `the environment names a proxy for each scheme`(
        environment: [String: String],
        url: String,
        expected: String?
    ) throws {
        #expect(try proxy(for: url, environment) == expected)
    }

    @Test func `a variable that a client of a CGI program can set does not count`() throws {
        #expect(try proxy(for: "http://a/", ["HTTP_PROXY": "evil"]) == nil)
    }

    @Test func `the option takes precedence over the environment, and an empty one disables it`()
        throws
    {
        let environment = ["http_proxy": "h", "all_proxy": "l"]

        #expect(try proxy(for: "http://a/", option: "o", environment) == "o")
        #expect(try proxy(for: "http://a/", option: "", environment) == nil)
    }

    @Test(arguments: [
        ("*", "http://a.example/", true), ("a.example", "http://a.example/", true),
        ("a.example", "http://A.EXAMPLE:81/", true), ("a.example", "http://b.a.example/", true),
        (".a.example", "http://a.example/", true), ("a.example.", "http://a.example/", true),
        ("a.example", "http://ba.example/", false), ("A.Example", "http://a.example/", true),
        ("x, a.example", "http://a.example/", true), ("x a.example", "http://a.example/", true),
        ("", "http://a.example/", false), (".", "http://a.example/", false),
        ("*.example", "http://a.example/", false),
        ("10.0.0.0/8", "http://10.1.2.3/", true), ("10.1.2.3", "http://10.1.2.3/", true),
        ("10.0.0.0/8", "http://11.1.2.3/", false), ("1.2.3", "http://0.1.2.3/", false),
        ("fd00::/8", "http://[fd12::1]/", true), ("[fd12::1]", "http://[fd12::1]/", true),
        ("10.0.0.0/99", "http://10.1.2.3/", false),
    ])
    func `no_proxy names the hosts that are requested directly`(
        list: String,
        url: String,
        isDirect: Bool
    ) throws {
        let environment = ["all_proxy": "p", "no_proxy": list]

        #expect(try proxy(for: url, environment) == (isDirect ? nil : "p"))
        #expect(try proxy(for: url, option: "o", environment) == (isDirect ? nil : "o"))
    }
}
