@testable import ImageLoading
import Testing

@Suite struct VaryRuleTests {
    private let request = [HeaderField("Accept", "image/png"), HeaderField("X-Key", "hush")]

    @Test(arguments: [nil, "", ",", "Accept-Encoding", "accept-encoding, ACCEPT-ENCODING"])
    func `without a relevant name every request matches`(field: String?) {
        let rule = VaryRule(field, of: request)

        #expect(rule == .none)
        #expect(rule.matches([]))
    }

    @Test func `a request with the same named fields matches, in any letter case`() {
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
    func `a request with another value, or without it, does not match`(other: [HeaderField]) {
        #expect(!VaryRule("Accept, X-Key", of: request).matches(other))
    }

    @Test func `a field missing from both requests matches`() {
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

    @Test func `values are not stored in clear`() {
        var response = CachedResponse(times: ExchangeTimes(request: 0, response: 0))
        response.vary = VaryRule("X-Key", of: request)

        let kept = String(decoding: response.encoded(), as: UTF8.self)
        #expect(!kept.contains("hush"))
        #expect(!String(reflecting: response.vary).contains("hush"))
    }
}

@Suite struct RequestVariantTests {
    private let login = HeaderField("Authorization", "Basic aHVzaA==")

    @Test(arguments: [
        [], [HeaderField("Range", "bytes=5-")], [HeaderField("if-none-match", "\"a\"")],
        [HeaderField("User-Agent", "x"), HeaderField("ACCEPT-ENCODING", "identity")],
    ])
    func `fields that do not change the bytes make no variant`(headers: [HeaderField]) {
        #expect(RequestVariant(headers: headers) == nil)
    }

    // F24; Nuke shares one partial body among requests with other fields.
    @Test func `other values, names and policies make other variants`() {
        var withCookies = TransferPolicy()
        withCookies.handlesCookies = true
        var withCredentials = TransferPolicy()
        withCredentials.credentials = HTTPCredentials(user: "a", password: "b")
        var others = withCredentials
        others.credentials = HTTPCredentials(user: "a", password: "c")

        let variants = [
            RequestVariant(headers: [login]), RequestVariant(headers: [HeaderField("X-Key", "1")]),
            RequestVariant(headers: [HeaderField("X-Key", "2")]),
            RequestVariant(headers: [HeaderField("X", "-Key1")]),
            RequestVariant(headers: [], policy: withCookies),
            RequestVariant(headers: [], policy: withCredentials),
            RequestVariant(headers: [], policy: others),
            RequestVariant(headers: [login], policy: others),
        ]

        #expect(Set(variants).count == variants.count)
        #expect(!variants.contains(nil))
    }

    @Test func `order and letter case of names make no other variant`() {
        let one = [login, HeaderField("Accept", "image/png")]
        let other = [HeaderField("accept", "image/png"), HeaderField("AUTHORIZATION", login.value)]

        #expect(RequestVariant(headers: one) == RequestVariant(headers: other))
    }

    @Test func `certificate and address policies make no variant of a request`() {
        var policy = TransferPolicy()
        policy.allowsInvalidCertificates = true
        policy.refusesPrivateAddresses = true

        #expect(RequestVariant(headers: [], policy: policy) == nil)
    }

    @Test func `a variant shows no secret`() {
        #expect(RequestVariant(headers: [login])?.digest.count == 32)
        #expect(!String(reflecting: RequestVariant(headers: [login])).contains("aHVzaA"))
    }
}
