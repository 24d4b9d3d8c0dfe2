import Testing

@testable import TermGallery

@Suite struct RequestedLocaleTests {
    @Test(
        arguments: [
            (["LANG": "de_DE.UTF-8"], "de_DE.UTF-8"),
            (["LANG": "de_DE.UTF-8", "LC_CTYPE": "C"], "C"),
            (["LANG": "de_DE.UTF-8", "LC_CTYPE": "C", "LC_ALL": "POSIX"], "POSIX"),
            (["LANG": "de_DE.UTF-8", "LC_ALL": ""], "de_DE.UTF-8"), ([:], ""),
        ]
    )
    func `the first variable that says something counts`(
        variables: [String: String],
        name: String
    ) {
        #expect(RequestedLocale { variables[$0] ?? "" }.name == name)
    }

    @Test(arguments: ["de_DE.UTF-8", "en_US.utf8", "C.UTF-8", "ca_ES.UTF-8@valencia", "UTF-8"])
    func `a name says UTF-8 behind its dot, or alone`(name: String) {
        #expect(RequestedLocale { _ in name }.isUTF8)
    }

    @Test(arguments: ["de_DE", "de_DE@euro", "de_DE.ISO-8859-1", "ja_JP.eucJP", "C", "POSIX", ""])
    func `other names don't`(name: String) {
        #expect(!RequestedLocale { _ in name }.isUTF8)
    }
}
