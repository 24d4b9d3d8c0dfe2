import Testing

@testable import TermGallery

@Suite struct FeedNameCheckTests {
    @Test(arguments: [
        ("ftp://u:p@h/x", "ftp://h/x: ftp is not supported; use an http or https URL, or the path"),
        ("demo", "demo: no such file; a command is the first argument: termgallery demo [options]"),
        ("pritn", "pritn: no such file or command; did you mean \"print\"?"),
    ])
    func `a mistyped argument is refused with what to do`(name: String, message: String) {
        let advice = FeedNameCheck.advice(on: name, commands: ["print", "demo", "fetch"])
        #expect(advice?.hasPrefix(message) == true, "\(advice ?? "")")
    }

    @Test(arguments: ["holiday", "a/demo", "x", "http://h/x", "://", "cat.jpg", "prints.txt"])
    func `any other name that does not exist is only a missing file`(name: String) {
        #expect(FeedNameCheck.advice(on: name, commands: ["print", "demo", "fetch"]) == nil)
    }
}
