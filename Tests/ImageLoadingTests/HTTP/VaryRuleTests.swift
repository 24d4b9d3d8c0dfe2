import Testing

@testable import ImageLoading

@Suite struct VaryRuleTests {
    private let request = [HeaderField("Accept", "image/png"), HeaderField("X-Key", "hush")]

    @Test(arguments: [nil, "", ",", "Accept-Encoding", "accept-encoding, ACCEPT-ENCODING"])
    func `without a name that counts every request matches`(field: String?) {
        let rule = VaryRule(field, of: request)

        #expect(rule == .none)
        #expect(rule.matches([]))
    }

    @Test func `a request matches whose named fields are the same, in any letter case`() {
        let rule = VaryRule("ACCEPT, x-key", of: request)

        #expect(rule.names == ["accept", "x-key"])
        #expect(rule.matches([HeaderField("x-KEY", "hush"), HeaderField("accept", "image/png")]))
        #expect(rule.matches(request + [HeaderField("Referer", "elsewhere")]))
    }

    @Test(arguments: [
        [], [HeaderField("Accept", "image/png")],
        [HeaderField("Accept", "image/*"), HeaderField("X-Key", "hush")],
        [HeaderField("Accept", "hush"), HeaderField("X-Key", "image/png")],
        [HeaderField("Accept", "image/pngx-key"), HeaderField("X-Key", "hush")],
    ])
    func `a request with another value, or without it, doesn't match`(other: [HeaderField]) {
        #expect(!VaryRule("Accept, X-Key", of: request).matches(other))
    }

    @Test func `a field that neither request has matches`() {
        #expect(VaryRule("Cookie", of: request).matches([]))
        #expect(!VaryRule("Cookie", of: request).matches([HeaderField("Cookie", "")]))
    }

    @Test(arguments: ["*", "Accept, *", "*,Accept-Encoding"])
    func `a star matches nothing`(field: String) {
        #expect(!VaryRule(field, of: request).matches(request))
    }

    @Test func `a list that is too long matches nothing`() {
        let names = (0..<200).map { "x-header-\($0)" }.joined(separator: ", ")

        #expect(!VaryRule(names, of: request).matches(request))
    }

    @Test func `values are not kept in clear`() {
        var response = CachedResponse(times: ExchangeTimes(request: 0, response: 0))
        response.vary = VaryRule("X-Key", of: request)

        let kept = String(decoding: response.encoded(), as: UTF8.self)
        #expect(!kept.contains("hush"))
        #expect(!String(reflecting: response.vary).contains("hush"))
    }
}
