import ImageLoading
import Testing

@testable import Feeds

@Suite struct ProseCheckTests {
    private static let readme = """
        # A program

        This program shows images. See docs/a.png for one of them.

        - It is fast, because it is written in Swift.
        - It has no other features that anybody needs.

        ```sh
        swift build -c release
        ```

        The license is MIT. Read LICENSE for details.
        Send patches to the list.
        Thank you very much for reading.
        Enjoy the images.
        """

    @Test(arguments: [
        readme, "Dear Anna,\nthe photos are ready.\nSee you soon,\nBerta, who took them",
        "one two\nthree four\nfive six",
        "int main(void) {\n  return 0;\n}\nint x = 5;\nchar c = 2;",
    ])
    func `running text is no feed, with the reason in one line`(text: String) {
        let error = #expect(throws: FeedError.self) {
            try Feed(
                parsing: Array(text.utf8),
                title: "README",
                base: .directory("/"),
                origin: .local
            )
        }
        let reason = error?.description ?? ""
        #expect(reason.hasPrefix("README: is a text without image URLs or paths (a feed is"))
        #expect(!reason.contains("\n"))
    }

    @Test(arguments: [
        "a.jpg", "a.jpg A caption of a cat\nb.jpg Another one\nc.jpg And one more",
        "My own pictures\nof the sea\nhttp://h/1.jpg\nhttp://h/2.jpg",
        "http://h/a first\nhttp://h/b second\nhttp://h/c third", "ab12cd\nef34\n0a9b",
        "p/one The first\np/two The second\np/three The third",
        "the sea.jpg\nmy cat 2.png\nx y.gif",
        "one line of text", "# only\n# some\n# comments\nx.png",
        "ftp://h/x a\nftp://h/y b\nftp://h/z c",
    ])
    func `a list with captions, comments, headings or paths without suffixes is a feed`(
        text: String
    ) throws {
        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "list",
            base: .directory("/"),
            origin: .local
        )
        #expect(feed.count > 0)
    }

    @Test(arguments: ["IMG_001.WEBP\nb.jpg", "pic.JXL a caption\nb.jpg", "cat/moov.jpg\nb.jpg"])
    func `a name that contains the signature of a format starts a list`(text: String) {
        #expect(FeedFormat.sniffed(from: Array(text.utf8)) == .plainText)
    }

    @Test func `a PDF document is named`() {
        let head = Array("%PDF-1.7\nsome text".utf8)
        #expect(FeedFormat.sniffed(from: head) == .unusable("is a PDF document, not a feed"))
    }
}
