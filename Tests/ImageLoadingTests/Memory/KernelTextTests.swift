import Testing

@testable import ImageLoading

@Suite struct KernelTextTests {
    @Test func `a file without a size is read to its end`() throws {
        let text = try #require(KernelText.contents(of: "/proc/self/status"))

        #expect(text.hasPrefix("Name:"))
        #expect(text.hasSuffix("\n"))
    }

    @Test(arguments: ["/proc/none", "/proc", "/proc/self/cmdline/x"])
    func `what can't be read is nil`(path: String) {
        #expect(KernelText.contents(of: path) == nil)
    }
}
