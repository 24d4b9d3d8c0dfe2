import FeedHarness
import Glibc
import ImageLoading
import ImageLoadingTesting
@testable import Feeds
import Testing
import SystemSupport

@Suite struct FeedReaderTests {
    private let harness = LoadingHarness()
    private let folder = TestFolder()

    private func read(_ sources: FeedSource...) async -> Result<Feed, FeedError> {
        let reader = FeedReader(manager: harness.manager)
        return await blocking {
            Result { () throws(FeedError) in try reader.read(sources) }
        }
    }

    private func fault(_ source: FeedSource) async -> String {
        guard case .failure(let error) = await read(source) else { return "no fault" }
        return error.description
    }

    @Test func `a feed file's paths are relative to it`() async throws {
        let file = folder.add("feed.txt", Array("a.jpg first\nhttp://h/b.png\n".utf8))

        let feed = try await read(.path(file)).get()

        #expect(feed.count == 2)
        #expect(feed[0].url == "file://\(folder.path)/a.jpg")
        #expect(feed[0].caption == "first")
        #expect(feed[1].url == "http://h/b.png")
        #expect(feed.origin == .local)
        #expect(feed.title == file)
    }

    @Test func `a folder is its images in natural order without hidden files`() async throws {
        for name in ["b10.jpg", "b9.JPG", "a.jpeg", ".c.jpg", "notes.txt", "z.png", "jpg"] {
            folder.add(name)
        }

        let feed = try await read(.path(folder.path)).get()

        #expect(
            (0..<feed.count).map { feed[$0].caption } == ["a.jpeg", "b9.JPG", "b10.jpg", "z.png"]
        )
        #expect(feed[0].url == "file://\(folder.path)/a.jpeg")
    }

    @Test func `if the name gives no format the first bytes do, and omitted files are counted`()
        async throws
    {
        let picture = LoadingHarness.picture
        for name in ["a.jpe", "b.jfif", "c", "d.png.bak"] { folder.add(name, picture) }
        for name in ["e.jp2", "f"] { folder.add(name, [0, 0, 0, 12] + Array("jP  ".utf8)) }
        folder.add("h.html", Array("<!doctype html><svg></svg>".utf8))
        folder.add("notes.txt", Array("no picture".utf8))
        _ = folder.addPipe("pipe")

        let feed = try await read(.path(folder.path)).get()

        #expect(
            (0..<feed.count).map { feed[$0].caption } == ["a.jpe", "b.jfif", "c", "d.png.bak"]
        )
        let leftOut = "2 JPEG 2000, 2 that are not images"
        #expect(feed.remark == "\(folder.path): left out \(leftOut)")
    }

    /// Each is shown as a picture that can't be.
    @Test func `an image that no decoder knows, and an empty one, are feeds of one`() async throws {
        let svg = folder.add("drawing.svg", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
        let other = folder.add("moves", [0, 0, 0, 12] + Array("jP  ".utf8))
        let empty = folder.add("nothing.jpg", [])

        for path in [svg, other, empty] {
            #expect(try await read(.path(path)).get().count == 1, "\(path)")
        }
        #expect(
            await fault(.path(folder.add("nothing.txt", []))).contains(
                "contains no images (a feed is"
            )
        )
    }

    @Test func `names that are not UTF-8 are read byte for byte`() async throws {
        let name = FileText.text([0x63, 0xE9] + Array(".png".utf8))
        folder.add(name, LoadingHarness.picture)
        let feedFile = folder.add("feed.txt", FileText.bytes(of: name))

        for source in ["", "/feed.txt", "/\(name)"] {
            let feed = try await read(.path(folder.path + source)).get()

            #expect(feed.count == 1 && feed[0].url == "file://\(folder.path)/c%E9.png")
            _ = try await harness.manager.response(for: ImageRequest(url: feed[0].url))
        }
        #expect(feedFile.hasSuffix("/feed.txt"))
    }

    @Test func `no login of a URL is in a title or an error`() async throws {
        harness.transport.answerStarts { request in
            request.url.hasSuffix("/feed") ? .body(Array("a.jpg".utf8)) : .body([], status: 404)
        }

        let feed = try await read(.remote("http://me:secret@h.example/feed")).get()
        #expect(feed.title == "http://h.example/feed")
        for source in ["http://me:secret@h.example/none", "htp://me:secret@h.example/none"] {
            let fault = await fault(FeedSource(argument: source))
            #expect(fault.contains("://h.example/none: ") && !fault.contains("secret"))
        }
    }

    /// The server keeps sending, so that the idle timeout does not apply.
    @Test func `a feed that takes too long as a whole is abandoned`() async {
        let reader = FeedReader(manager: harness.manager, timeLimit: .zero)

        let result = await blocking {
            Result { () throws(FeedError) in try reader.read([.remote("http://h.example/feed")]) }
        }

        guard case .failure(let error) = result else {
            Issue.record("no response")
            return
        }
        #expect(error.description.hasPrefix("http://h.example/feed: not received within 0 s"))
    }

    @Test func `a folder without images reports its contents`() async {
        folder.add("notes.txt")

        let fault = await fault(.path(folder.path))

        #expect(
            fault.hasPrefix(
                "\(folder.path): the folder contains no supported image: 1 that is not an image"
            )
        )
    }

    @Test func `an image is a feed of one`() async throws {
        let file = folder.add("100% sure?.png", LoadingHarness.picture)

        let feed = try await read(.path(file)).get()

        #expect(feed.count == 1)
        #expect(feed[0].url == "file://\(folder.path)/100%25%20sure%3F.png")
        #expect(feed[0].caption == "100% sure?.png")
    }

    @Test func `a missing file or an empty name is reported with the reason`() async {
        #expect(
            await fault(.path("fetsch")) == "fetsch: No such file or directory"
        )
        #expect(await fault(.path("")).hasPrefix(": No such file or directory"))
    }

    /// Each of them would be waited for, or read, without end.
    @Test func `pipes and devices are refused immediately`() async {
        let pipe = folder.addPipe("pipe")

        #expect(await fault(.path(pipe)).hasPrefix("\(pipe): is a pipe; to read one, use -"))
        #expect(await fault(.path("/dev/zero")).hasPrefix("/dev/zero: is not a file or"))
    }

    @Test func `an empty file and a page without images are no feeds`() async {
        let empty = folder.add("empty.txt")
        let page = folder.add("page.txt", Array("<!DOCTYPE html><p>".utf8))

        #expect(await fault(.path(empty)).hasPrefix("\(empty): contains no images"))
        #expect(await fault(.path(page)).hasPrefix("\(page): the page has no images"))
    }

    @Test func `a feed from the network is relative to its URL and may not name files`()
        async throws
    {
        let url = "http://h.example/feeds/list.txt"
        harness.transport.answerStarts { _ in .body(Array("1.jpg one\nfile:///etc/passwd\n".utf8)) }

        let feed = try await read(.remote(url)).get()

        #expect(feed.origin == .remoteFeed)
        #expect(feed[0].url == "http://h.example/feeds/1.jpg")
        #expect(feed[1].problem != nil)
        #expect(feed.title == url)
    }

    // F32
    @Test func `a feed from a private network may lead into it, and still names no files`()
        async throws
    {
        harness.transport.answerStarts { request in
            guard !request.policy.refusesPrivateAddresses else {
                return .failure(
                    ImageLoadingError(
                        stage: .download,
                        kind: .policy,
                        reason: .privateAddress("nas.example")
                    )
                )
            }
            return .body(Array("http://10.0.0.5/1.jpg one\nfile:///etc/passwd\n".utf8))
        }

        let feed = try await read(.remote("http://nas.example/list.txt")).get()

        #expect(feed.origin == .privateFeed)
        #expect(feed[0].problem == nil && feed[1].problem != nil)
    }

    // F32
    @Test func `a redirect into a private network does not lead to a feed`() async {
        harness.transport.answerStarts { request in
            guard request.policy.refusesPrivateAddresses else { return .body([0x61]) }
            let reason = ImageLoadingError.Reason.privateAddress("10.0.0.1")
            return .failure(ImageLoadingError(stage: .download, kind: .policy, reason: reason))
        }

        let fault = await fault(.remote("http://h.example/feed.txt"))

        #expect(fault.contains("10.0.0.1 is a private address"))
    }

    @Test func `an image's URL is a feed of one image`() async throws {
        let url = "http://h.example/1.png?x=1"
        harness.answerEverything()

        let feed = try await read(.remote(url)).get()

        #expect(feed.count == 1)
        #expect(feed[0].url == url)
        #expect(feed.origin == .local)
    }

    @Test func `an unreadable URL is named with the reason`() async {
        harness.transport.answerStarts { _ in .body([], status: 404) }

        let fault = await fault(.remote("http://h.example/feed.txt"))

        #expect(fault == "http://h.example/feed.txt: 404 not found")
    }

    @Test func `joined sources keep their order and their kind of origin`() async throws {
        let file = folder.add("feed.txt", Array("a.jpg\nb.jpg\n".utf8))
        harness.transport.answerStarts { _ in .body(Array("1.jpg\n".utf8)) }

        let feed = try await read(.remote("http://h.example/f"), .path(file)).get()

        #expect((0..<feed.count).map { feed[$0].caption } == ["1.jpg", "a.jpg", "b.jpg"])
        #expect((0..<feed.count).map(feed.origin(at:)) == [.remoteFeed, .local, .local])
        #expect(feed.origin == .remoteFeed)
    }

    @Test func `the first unreadable source is named`() async throws {
        let file = folder.add("feed.txt", Array("a.jpg\n".utf8))

        guard case .failure(let error) = await read(.path(file), .path("nix"), .path("nux")) else {
            Issue.record("read what is not there")
            return
        }
        #expect(error.description.hasPrefix("nix: "))
    }
}

@Suite struct FeedSourceTests {
    @Test(arguments: [
        ("-", FeedSource.standardInput, true),
        ("http://h/feed.txt", .remote("http://h/feed.txt"), true),
        ("HTTPS://H/feed.txt", .remote("HTTPS://H/feed.txt"), true),
        ("ftp://h/feed.txt", .path("ftp://h/feed.txt"), false),
        ("./-", .path("./-"), false),
        ("http:", .path("http:"), false), ("file:///a%20b", .path("/a b"), false),
        ("pictures", .path("pictures"), false),
        ("", .path(""), false),
    ])
    func `an argument is one of three things`(argument: String, source: FeedSource, isSlow: Bool) {
        #expect(FeedSource(argument: argument) == source)
        let reader = FeedReader(manager: LoadingHarness().manager)
        #expect(reader.isSlow(source) == isSlow)
    }

    @Test func `paths are made absolute, and know their folder`() {
        #expect(AbsolutePath.of("/a/b") == "/a/b")
        #expect(AbsolutePath.of("b").hasSuffix("/b"))
        #expect(AbsolutePath.of("b").hasPrefix("/"))
        #expect(AbsolutePath.directory(of: "/a/b") == "/a")
        #expect(AbsolutePath.directory(of: "/b") == "/")
    }

    @Test func `a local image's name may hold anything`() {
        let item = FeedItem(filePath: "/a b/%41?#.png")

        #expect(item.url == "file:///a%20b/%2541%3F%23.png")
        #expect(item.caption == "%41?#.png")
        #expect(item.problem == nil)
    }
}
