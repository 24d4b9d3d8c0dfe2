import Foundation
import Testing

@testable import Feeds

/// Pages of HTML and listings of files; see Fixtures/pages.
struct PageTests {
    // MARK: Listings, as the servers themselves wrote them

    @Test(arguments: ["nginx.html", "apache.html", "caddy.html", "python.html"])
    func `a listing has the files that Python's parser finds, and no icon of its server`(
        name: String
    ) throws {
        let listing = try page(name)
        let expected = try found(in: name).filter { $0.kind == "link" }.map(\.address)

        #expect(listing.kind == .listing)
        #expect(expected.count >= 10)
        #expect(listing.entries.map { $0.pictures[0].url } == expected)
        #expect(listing.entries.allSatisfy { $0.pictures[0].title == nil })
    }

    // MARK: Pages

    @Test func `a page has its embedded and linked images, in its order`() throws {
        let page = try page("page.html")

        #expect(page.kind == .page && page.title == "Harbour & coast")
        #expect(
            page.entries.map { $0.pictures[0].url } == [
                "https://photos.example.org/cover.jpg", "plain.jpg", "caps.PNG", "large.jpg",
                "two.jpg", "late.jpg", "fine-800.webp", "quay.jpg", "full/crane.jpg", "button.png",
                "full/gull.jpg", "plain.jpg", "//cdn.example.org/away.png",
            ]
        )
        #expect(page.entries.allSatisfy { $0.bases == ["https://photos.example.org/trip/"] })
        #expect(page.remarks.isEmpty, "a placeholder is not an image")
    }

    @Test func `Python's parser finds the same images in a page`() throws {
        let mine = Set(
            try page("page.html").entries.flatMap { entry in
                entry.pictures.flatMap { [$0.url] + $0.versions.map(\.url) }
            }
        )
        let others = try found(in: "page.html").map(\.address)

        // Those that show nothing, a page about a picture, and one that a source goes before.
        let left = others.filter { !mine.contains($0) }
        #expect(
            left == [
                "logo.svg", "data:image/gif;base64,R0lGODlhAQABAAAAACw=", "fine.jpg",
                "https://wiki.example.org/wiki/File:Quay.jpg",
            ]
        )
    }

    @Test func `an image inside the page is no smaller version of the linked one`() throws {
        let html = "<!DOCTYPE html><a href=b.jpg><img src='data:image/gif;base64,R0lGODlh'></a>"
        let page = try FeedDocument(html: Array(html.utf8)) { $0.hasSuffix(".jpg") }

        #expect(page.entries.map { $0.pictures[0].url } == ["b.jpg"])
        #expect(page.entries[0].pictures[0].versions.isEmpty)
    }

    @Test func `a page's image has its texts, its other sizes and the page it links to`()
        throws
    {
        let pictures = try page("page.html").entries.map { ($0.pictures[0], $0.link) }
        func picture(_ url: String) throws -> (FeedDocument.Picture, String?) {
            try #require(pictures.first { $0.0.url == url }, "\(url)")
        }

        let three = try picture("large.jpg").0
        #expect(three.versions.map(\.url) == ["small.jpg", "medium.jpg"])
        #expect(three.versions.map(\.width) == [320, 640])
        #expect(three.alternativeText == "Three widths")
        #expect(try picture("two.jpg").0.versions == [.init(url: "one.jpg", width: 200)])
        #expect(
            try picture("fine-800.webp").0.versions == [.init(url: "fine-400.webp", width: 400)]
        )
        #expect(try picture("quay.jpg").0.title == "The quay at noon")
        #expect(try picture("caps.PNG").0.title == "Capitals")
        let crane = try picture("full/crane.jpg").0
        #expect(crane.versions == [.init(url: "thumbs/crane.jpg", width: 150)])
        #expect(crane.alternativeText == "A crane")
        #expect(try picture("full/gull.jpg").0.title == "A gull")
        #expect(try picture("button.png").1 == "/about.html")
    }

    @Test func `a page gives its feeds and the next page`() throws {
        let page = try page("page.html")

        #expect(page.outlines.map(\.url) == ["/feed.xml"] && page.outlines[0].title == "Trip")
        #expect(page.next == .address("?page=2"))
    }

    @Test(arguments: [
        ("<a href=a.jpg><img src=b.jpg>", ["a.jpg"]),
        ("<a href=a.jpg>x<a href=b.jpg>y", ["a.jpg", "b.jpg"]),
        ("<picture><source srcset=a.jpg><img src=b.jpg", ["a.jpg"]), ("<img src=>", []),
        ("<img>", []),
        ("<img src='  a.jpg\n'>", ["a.jpg"]),
        ("</a></figure></template><img src=a.jpg>", ["a.jpg"]),
        ("<figure><figure><figcaption><img src=a.jpg>", ["a.jpg"]), ("", []), ("<", []),
        ("<noscript><img src=a.jpg></noscript>", ["a.jpg"]),
        ("<script><img src=a.jpg></script>", []),
        ("<a href='data:x.jpg'><img src=a.jpg></a>", ["a.jpg"]),
        ("<img srcset='a.jpg 0w, b.jpg 5w'>", ["b.jpg"]), ("<img src=data:x>", []),
        (
            "<a href=a.jpg><img src=b.gif><noscript><img src=c.jpg></noscript></a>", ["a.jpg"]
        ),
    ])
    func `a damaged page shows the images that can be read`(text: String, expected: [String]) throws
    {
        let page = try FeedDocument(html: Array(text.utf8), isPictureName: isPictureName)

        #expect(page.entries.map { $0.pictures[0].url } == expected)
    }

    @Test func `deep nesting ends`() throws {
        let count = 20_000
        for tag in ["div", "a", "figure", "picture", "b"] {
            let text = String(repeating: "<\(tag)>", count: count) + "<img src=a.jpg>"

            _ = try FeedDocument(html: Array(text.utf8), isPictureName: isPictureName)
        }
    }

    @Test(arguments: [("utf-8", "grün"), ("iso-8859-1", "grün"), ("windows-1252", "grün")])
    func `texts are read in the page's encoding`(name: String, word: String) throws {
        let text = "<html><meta charset=\(name)><img src=a.jpg alt=\"\(word)\">"
        let bytes =
            name == "utf-8" ? Array(text.utf8) : text.unicodeScalars.map { UInt8($0.value) }

        let page = try FeedDocument(html: bytes, isPictureName: isPictureName)

        #expect(page.entries.first?.pictures[0].alternativeText == word)
    }

    // MARK: Buckets

    @Test func `the listing of a bucket has its images, encoded, and its next page`()
        throws
    {
        let address = "https://harbour.s3.example.org/?list-type=2&prefix=photos/"
        let listing = try #require(try bucket(address))

        #expect(listing.kind == .listing && listing.title == "harbour")
        #expect(
            listing.entries.map { $0.pictures[0].url } == [
                "/photos/a%20b%20%26%20c.jpg", "/photos/gr%C3%BCn%20%231%3F.png",
            ]
        )
        #expect(listing.entries.map(\.date) == [1_715_767_872, 1_715_767_873])
        let token = "1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM="
        #expect(listing.next == .parameter(name: "continuation-token", value: token))
    }

    @Test(arguments: [
        ("made-by-moto.xml", "?list-type=2&max-keys=3", "continuation-token"),
        ("made-by-moto-1.xml", "?max-keys=3", "marker"),
    ])
    func `a page of a bucket in a store gives its next page`(
        name: String,
        query: String,
        parameter: String
    ) throws {
        let address = "http://127.0.0.1:8841/pictures\(query)"

        let listing = try #require(try bucket(address, name))

        #expect(
            listing.entries.map { $0.pictures[0].url } == [
                "/pictures/2024/harbour/crane%204.jpg", "/pictures/2024/sky/cirrus%26co.png",
            ]
        )
        let value = "71b8837ddc5b6a3cb2d0e00a0bad0f08"
        #expect(listing.next == .parameter(name: parameter, value: value))
    }

    @Test func `if the host belongs to a whole store, the path begins with the bucket`() throws {
        let listing = try #require(try bucket("https://store.example.org/harbour?list-type=2"))

        #expect(listing.entries[0].pictures[0].url == "/harbour/photos/a%20b%20%26%20c.jpg")
        #expect(
            FeedDocument(bucket: Array("<rss/>".utf8), address: nil, isPictureName: isPictureName)
                == nil
        )
    }

    @Test func `keys may be encoded, and the older listing continues after its last key`() throws {
        let text = """
            <ListBucketResult><Contents><Key>a%2Fb+c.jpg</Key></Contents><EncodingType>url</EncodingType>
            <IsTruncated>true</IsTruncated></ListBucketResult>
            """
        let listing = try #require(
            FeedDocument(bucket: Array(text.utf8), address: nil, isPictureName: isPictureName)
        )

        #expect(listing.next == .parameter(name: "marker", value: "a%2Fb+c.jpg"))
    }

    // MARK: IIIF

    @Test func `a manifest has an image for each canvas with one`() throws {
        let book = try manifest("iiif3.json")

        #expect(book.title == "A book" && book.entries.map(\.title) == ["1r", "1v", nil])
        #expect(
            book.entries.map { $0.pictures.map(\.url) } == [
                ["https://iiif.example.org/images/1/full/max/0/default.jpg"],
                ["https://iiif.example.org/two.jpg"], [],
            ]
        )
        let versions = book.entries[0].pictures[0].versions
        #expect(versions.map(\.width) == [150, 300, 600, 1200])
        #expect(versions[0].url == "https://iiif.example.org/images/1/full/150,/0/default.jpg")
        // A server of level 0 makes no sizes.
        #expect(book.entries[1].pictures[0].versions.isEmpty)
    }

    @Test func `a manifest of version 2 is read too`() throws {
        let map = try manifest("iiif2.json")

        #expect(map.title == "A map" && map.entries.map(\.title) == ["Recto"])
        let picture = try #require(map.entries.first?.pictures.first)
        #expect(picture.url == "https://iiif.example.org/images/m1/full/full/0/default.jpg")
        #expect(picture.versions.map(\.width) == [150, 300, 600])
        #expect(try #require(picture.size) == (1000, 800))
    }

    // MARK: Helpers

    private func page(_ name: String) throws -> FeedDocument {
        try FeedDocument(html: Array(Data(contentsOf: url(name))), isPictureName: isPictureName)
    }

    private func bucket(
        _ address: String,
        _ name: String = "bucket.xml"
    ) throws -> FeedDocument? {
        let bytes = Array(try Data(contentsOf: url(name)))
        return FeedDocument(bucket: bytes, address: address, isPictureName: isPictureName)
    }

    private func manifest(_ name: String) throws -> FeedDocument {
        let json = try JSONValue(parsing: Array(Data(contentsOf: url(name))))
        return try #require(FeedDocument(json: json, isPictureName: isPictureName))
    }

    private func found(in name: String) throws -> [(kind: String, address: String)] {
        let lines = try String(contentsOf: url("../pages.txt"), encoding: .utf8)
        return lines.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            .filter { $0[0] == name }.map { ($0[1], $0[2]) }
    }

    private func url(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/pages")
            .appending(path: name)
    }

    private func isPictureName(_ name: String) -> Bool {
        let suffix = name.split(separator: ".").last?.lowercased() ?? ""
        return name.contains(".") && ["jpg", "jpeg", "png", "gif", "webp"].contains(suffix)
    }
}
