import FeedHarness
import Glibc
import ImageLoading
import Testing

@testable import Feeds
import SystemSupport

@Suite struct FolderContentsTests {
    private let folder = TestFolder()

    private func read(hidden: Bool = false) async throws -> Feed {
        var reader = FeedReader(manager: LoadingHarness().manager)
        reader.options.listsFolders = true
        reader.options.includesHidden = hidden
        let (ready, root) = (reader, folder.path)
        return try await blocking {
            Result { () throws(FeedError) in try ready.read(.path(root)) }
        }.get()
    }

    @Test func `folders come before images, and a folder named like an image is a folder`()
        async throws
    {
        folder.addPictures("b.png", "a.png", "f10/x.png", "f9/x.png", "x.jpg/in.png", ".h/x.png")

        let feed = try await read()

        #expect(captions(feed) == ["f9/", "f10/", "x.jpg/", "a.png", "b.png"])
        #expect((0..<5).map(feed.isFolder) == [true, true, true, false, false])
        #expect(feed[0].url == "file://\(folder.path)/f9/")
        #expect(feed.remark == nil)
        #expect(try await captions(read(hidden: true)).contains(".h/"))
    }

    @Test func `system folders are left out and counted`() async throws {
        for name in ["@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found", "ok"] {
            folder.addPictures("\(name)/a.png")
        }

        let feed = try await read()

        #expect(captions(feed) == ["ok/"])
        #expect(feed.remark?.contains("left out 4 folders of the system") == true)
        #expect(feed.remark?.contains("no images, only folders") == true)
    }

    @Test func `without the option, a folder lists only its images`() async throws {
        folder.addPictures("a.png", "f/x.png")
        let (reader, root) = (FeedReader(manager: LoadingHarness().manager), folder.path)
        let feed = try await blocking {
            Result { () throws(FeedError) in try reader.read(.path(root)) }
        }.get()
        #expect(captions(feed) == ["a.png"])
        #expect(feed.folder == nil)
    }

    @Test func `the first four images in natural order make the cover`() throws {
        folder.addPictures("a10.png", "a9.png", "a1.png", "a11.png", "a12.png")
        folder.addPictures("sub/x.png", "#recycle/x.png")

        let contents = try FolderContents(of: folder.path)

        #expect(contents.imageCount == 5)
        #expect(contents.folderCount == 1)
        #expect(contents.countText == "5")
        let names = contents.coverURLs.map { FeedItem(url: $0).caption }
        #expect(names == ["a1.png", "a9.png", "a10.png", "a11.png"])
    }

    @Test func `reading ends at the limits, which the count shows`() throws {
        for number in 0..<20 { folder.addPictures("\(number).png") }
        var limits = FolderContents.Limits()
        limits.imageCount = 10
        #expect(try FolderContents(of: folder.path, limits: limits).countText == "10+")
        limits.imageCount = 20
        #expect(try FolderContents(of: folder.path, limits: limits).countText == "20")
        limits.entryCount = 5
        #expect(try FolderContents(of: folder.path, limits: limits).countText == "5+")
        limits.entryCount = 100
        limits.openedFileCount = 0
        folder.addPictures("unnamed")
        #expect(try FolderContents(of: folder.path, limits: limits).isIncomplete)
    }

    @Test func `a file without a suffix counts if its contents are an image`() throws {
        folder.addPictures("unnamed")
        folder.add("text", Array("no image".utf8))
        #expect(try FolderContents(of: folder.path).imageCount == 1)
    }

    @Test func `a missing folder is reported`() {
        #expect(throws: FileFailure.self) { try FolderContents(of: folder.path + "/none") }
    }

    @Test func `a folder that contains a link to itself can be listed at every depth`()
        async throws
    {
        folder.addPictures("a.png")
        try #require(symlink(folder.path, "\(folder.path)/loop") == 0)

        let feed = try await read()

        #expect(captions(feed) == ["loop/", "a.png"])
        #expect(try FolderContents(of: folder.path + "/loop/loop").imageCount == 1)
    }

    @Test func `names that are not UTF-8 lead to the same folder`() throws {
        let path: [UInt8] = Array("/a/".utf8) + [0xFF, 0x80]
        let item = FeedItem(folderPath: FileText.text(path))
        #expect(PictureAddress.path(ofURL: item.url) == path + [UInt8(ascii: "/")])
        #expect(item.caption.hasSuffix("/"))
    }
}
