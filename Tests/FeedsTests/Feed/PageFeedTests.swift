import ImageLoading
import Testing

@testable import Feeds

/// Web pages and listings as feeds, and feeds that are split into several pages.
struct PageFeedTests {
    private static let page = """
        <!DOCTYPE html><title>A page</title><img src="a.jpg" alt="An apple"><img src="b.jpg">
        <a href="/full/c.jpg"><img src="c-small.jpg" width="200"></a><img src="./a.jpg">
        <img src="file:///etc/passwd.png">
        """

    @Test func `a page shows each of its images once`() throws {
        let feed = try read(Self.page, "http://h/x/page.html")

        #expect(
            (0..<feed.count).map { feed[$0].url }.prefix(3) == [
                "http://h/x/a.jpg", "http://h/x/b.jpg", "http://h/full/c.jpg",
            ]
        )
        #expect(feed.count == 4)
        #expect(feed[0].caption == "An apple" && feed[1].caption == "b.jpg")
        let versions = feed[2].details?.versions
        #expect(versions == [PictureVersion(url: "http://h/x/c-small.jpg", width: 200)])
    }

    @Test func `a page of the network cannot name files`() throws {
        let feed = try read(Self.page, "http://h/x/page.html")

        #expect(feed[3].problem?.contains("file: is not allowed") == true)
        let listing =
            "<title>Index of /</title><a href='file:///etc/a.png'>a</a><a href=b.png>b</a>"
        let files = try read(listing, "http://h/")
        #expect((0..<2).map { files[$0].problem == nil } == [false, true])
    }

    @Test func `a saved page can name files in its folder`() throws {
        let feed = try Feed(
            parsing: Array("<html><img src='page_files/a%20b.png?x=1'><img src=//h/c.png>".utf8),
            title: "f",
            base: .directory("/home"),
            origin: .local
        )

        #expect(feed[0].url == "file:///home/page_files/a%20b.png")
        #expect(feed[1].url == "https://h/c.png")
    }

    @Test func `an image version that the page may not name is left out`() throws {
        let text = "<html><img srcset='file:///a.jpg 100w, /b.jpg 200w, /c.jpg 300w'>"

        let versions = try read(text, "http://h/")[0].details?.versions

        #expect(versions?.map(\.url) == ["http://h/b.jpg"])
    }

    @Test(arguments: [
        ("http://h/d/", ["2.png", "9.png", "10.png"]),
        ("http://h/d/?C=M", ["9.png", "10.png", "2.png"]),
    ])
    func `a listing is sorted by name, unless another order was requested`(
        address: String,
        expected: [String]
    ) throws {
        let text = """
            <html><title>Index of /d/</title><a href="../">..</a><a href="?C=N">Name</a><a href="/d/">self</a>
            <img src="/icons/x.png"><a href="9.png">9</a><a href="10.png">10</a><a href="2.png">2…</a>
            """

        let feed = try read(text, address)

        #expect((0..<feed.count).map { feed[$0].caption } == expected)
    }

    @Test func `a page without images names its feed`() throws {
        let link = "<link rel=alternate type=application/atom+xml href=/feed>"

        let error = try #require(fault("<html>\(link)words", "http://h/x/"))

        #expect(error.feedURL == "http://h/feed")
        #expect(error.description == "f: the page has no images")
        #expect(fault("<html>words", "http://h/")?.feedURL == nil)
        #expect(
            fault("<html>\(link.replacing("/feed", with: "file:///x"))", "http://h/")?.feedURL
                == nil
        )
    }

    @Test func `a page without a listing's images reports the reason`() {
        let error = fault("<html><title>Index of /</title><a href=a.txt>a</a>", "http://h/")

        #expect(error?.description == "f: none of the listed files is an image")
    }

    // MARK: Where feeds go on

    @Test func `a feed gives its next page, in its document or its response header`() throws {
        let json =
            #"{"version":"https://jsonfeed.org/version/1.1","next_url":"2.json","items":[{"image":"a.jpg"}]}"#
        let feed = try read(json, "http://h/1.json")

        #expect(feed.isOpen && feed.nextPages.map(\.url) == ["http://h/2.json"])
        let field = "<http://h/other>; rel=\"next\""
        let other = feed.with(linkField: field, base: .url("http://h/1.json"))
        #expect(other.nextPages.map(\.url) == ["http://h/other"])
        #expect(
            feed.with(linkField: "<http://h/1.json>; rel=next", base: .url("http://h/1.json"))
                .nextPages == feed.nextPages
        )
    }

    @Test(arguments: [
        ("http://h/b?list-type=2", "http://h/b?list-type=2&continuation-token=t%2F%3D"),
        ("http://h/b?continuation-token=old&x=1#y", "http://h/b?x=1&continuation-token=t%2F%3D"),
    ])
    func `a listing of a bucket continues after its last item`(
        address: String,
        expected: String
    ) throws {
        let text = """
            <?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated>
            <NextContinuationToken>t/=</NextContinuationToken>
            <Contents><Key>a b.jpg</Key></Contents></ListBucketResult>
            """

        let feed = try read(text, address)

        #expect(feed[0].url == "http://h/b/a%20b.jpg")
        #expect(feed.nextPages.map(\.url) == [expected])
    }

    @Test func `a page is appended to the items and gives its next page`() throws {
        let first = try read(page(1, next: "2"), "http://h/1")
        let next = try #require(first.nextPages.first)
        let second = try read(page(2, next: "3"), "http://h/2")

        let feed = try #require(first.continued(by: .success(second), after: next))

        #expect((0..<feed.count).map { feed[$0].url } == ["http://h/1.jpg", "http://h/2.jpg"])
        let following = try #require(feed.nextPages.first)
        #expect(following.url == "http://h/3" && following.start == "http://h/1")
        #expect(following.number == 2 && feed.isOpen)
        #expect(feed.continued(by: .success(second), after: next) == nil)
    }

    @Test func `an unreadable page loses none of the existing items`() throws {
        let first = try read(page(1, next: "2"), "http://h/1")
        let next = try #require(first.nextPages.first)

        let feed = try #require(
            first.continued(by: .failure(FeedError("f: no answer")), after: next)
        )

        #expect(feed.count == 1 && !feed.isOpen && feed.nextPages.isEmpty)
        #expect(feed.remark == "f: no answer; the entries read before are kept")
    }

    @Test func `a page without images is skipped`() throws {
        let first = try read(page(1, next: "2"), "http://h/1")
        let next = try #require(first.nextPages.first)
        let error = try #require(fault("<html><a rel=next href=3>more</a>", "http://h/2"))

        let feed = try #require(first.continued(by: .failure(error), after: next))

        #expect(feed.nextPages.map(\.url) == ["http://h/3"] && feed.remark == nil)
    }

    private func page(_ number: Int, next: String) -> String {
        "<html><img src=\(number).jpg><a rel=next href=\(next)>more</a>"
    }

    private func fault(_ text: String, _ address: String) -> FeedError? {
        do throws(FeedError) {
            _ = try read(text, address)
            return nil
        } catch {
            return error
        }
    }

    private func read(_ text: String, _ address: String) throws(FeedError) -> Feed {
        try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .url(address),
            origin: .remoteFeed
        )
    }
}
