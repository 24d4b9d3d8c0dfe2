import Testing

@testable import ImageLoading

@Suite struct RequestVariantTests {
    private let login = HeaderField("Authorization", "Basic aHVzaA==")

    @Test(arguments: [
        [], [HeaderField("Range", "bytes=5-")], [HeaderField("if-none-match", "\"a\"")],
        [HeaderField("User-Agent", "x"), HeaderField("ACCEPT-ENCODING", "identity")],
    ])
    func `fields that don't change the bytes make no variant`(headers: [HeaderField]) {
        #expect(RequestVariant(headers: headers) == nil)
    }

    // F24, T22; Nuke shares one partial body among requests with other fields.
    @Test func `other values, names and policies make other variants`() {
        var withCookies = TransferPolicy()
        withCookies.handlesCookies = true
        var withCredentials = TransferPolicy()
        withCredentials.credentials = Credentials(user: "a", password: "b")
        var others = withCredentials
        others.credentials = Credentials(user: "a", password: "c")

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

    @Test func `a certificate that can't be checked and a forbidden address change no bytes`() {
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
