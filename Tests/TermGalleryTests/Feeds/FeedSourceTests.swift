import GalleryCore
import Testing

@testable import TermGallery

@Suite struct FeedSourceTests {
    @Test(arguments: [
        ("-", FeedSource.standardInput, true),
        ("http://h/feed.txt", .remote("http://h/feed.txt"), true),
        ("HTTPS://H/feed.txt", .remote("HTTPS://H/feed.txt"), true),
        ("ftp://h/feed.txt", .path("ftp://h/feed.txt"), false),
        ("./-", .path("./-"), false),
        ("http:", .path("http:"), false),
        ("pictures", .path("pictures"), false),
        ("", .path(""), false),
    ])
    func `an argument is one of three things`(argument: String, source: FeedSource, isSlow: Bool) {
        #expect(FeedSource(argument: argument) == source)
        #expect(source.isSlow == isSlow)
    }

    @Test func `paths are made absolute, and know their folder`() {
        #expect(AbsolutePath.of("/a/b") == "/a/b")
        #expect(AbsolutePath.of("b").hasSuffix("/b"))
        #expect(AbsolutePath.of("b").hasPrefix("/"))
        #expect(AbsolutePath.directory(of: "/a/b") == "/a")
        #expect(AbsolutePath.directory(of: "/b") == "/")
    }

    @Test func `a local picture's name may hold anything`() {
        let item = FeedItem(filePath: "/a b/%41?#.png")

        #expect(item.url == "file:///a%20b/%2541%3F%23.png")
        #expect(item.caption == "%41?#.png")
        #expect(item.problem == nil)
    }
}
