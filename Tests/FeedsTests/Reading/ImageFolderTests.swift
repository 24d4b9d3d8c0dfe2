import FeedHarness
import Glibc
import ImageLoading
import SystemSupport
import Testing

@testable import Feeds

@Suite struct ImageFolderTests {
    private let folder = TestFolder()
    private let manager = LoadingHarness().manager

    /// Reads the sources as the gallery does, and returns the folder of the image that they name.
    private func imageFolder(
        _ names: [String],
        _ options: FeedOptions = FeedOptions()
    ) async throws
        -> ImageFolder?
    {
        let reader = FeedReader(manager: manager, options: options)
        let sources = names.map { FeedSource.path("\(folder.path)/\($0)") }
        return try await blocking {
            Result { () throws(FeedError) in
                ImageFolder(of: try reader.read(sources), readFrom: sources, by: reader)
            }
        }.get()
    }

    private func read(_ name: String, _ options: FeedOptions = FeedOptions()) async throws -> Feed {
        let imageFolder = try #require(await imageFolder([name], options))
        return await blocking { imageFolder.read() }
    }

    @Test func `an image is opened together with the images in its folder`() async throws {
        folder.addPictures("b10.png", "b9.png", "a.png", "no image.txt")

        for path in [
            "b9.png", "./b9.png", "/b9.png",
            "../\(folder.path.split(separator: "/").last ?? "")/b9.png",
        ] {
            let feed = try await read(path)

            #expect(captions(feed).prefix(3) == ["a.png", "b9.png", "b10.png"])
            #expect(feed.startItem == 1)
        }
    }

    @Test func `a hidden image is found among the hidden images`() async throws {
        folder.addPictures("a.png", ".b.png")

        #expect(try await captions(read("a.png")) == ["a.png"])
        let hidden = try await read(".b.png")
        #expect(captions(hidden).sorted() == [".b.png", "a.png"])
        #expect(hidden.startItem.map { hidden[$0].caption } == ".b.png")
    }

    @Test func `with subfolders, the image of the folder itself is selected`() async throws {
        folder.addPictures("a/x.png", "x.png")
        var options = FeedOptions()
        options.tree = TreeOptions()

        let feed = try await read("x.png", options)

        #expect(captions(feed) == ["x.png", "a/x.png"])
        #expect(feed.startItem == 0)
    }

    @Test func `two images, a folder and a list have no folder of an image`() async throws {
        folder.addPictures("a.png", "b.png", "c/d.png")
        folder.add("list.txt", Array("a.png\n".utf8))

        #expect(try await imageFolder(["a.png", "b.png"]) == nil)
        #expect(try await imageFolder(["c"]) == nil)
        #expect(try await imageFolder(["list.txt"]) == nil)
    }

    @Test func `the image is shown alone if its folder cannot be read, with the reason`()
        async throws
    {
        folder.addPictures("c/d.png")
        let imageFolder = try #require(await imageFolder(["c/d.png"]))
        rename("\(folder.path)/c", "\(folder.path)/moved")

        let feed = await blocking { imageFolder.read() }

        #expect(captions(feed) == ["d.png"])
        #expect(feed.remark?.hasPrefix("only this image: \(folder.path)/c: ") == true)
    }

    @Test func `images that are found late are added around the image that is shown`() async throws
    {
        for number in 1...500 { folder.addPictures("\(number).png") }
        let imageFolder = try #require(await imageFolder(["7.png"]))
        let shown = Protected<Feed?>(nil)
        let late = Monitor<(reload: FeedReload, isSecond: Bool)?>(nil)

        await blocking {
            imageFolder.read(
                within: .zero,
                onRead: { feed in shown.withLock { $0 = feed } },
                onChange: { reload in
                    let isSecond = shown.withLock { $0 != nil }
                    late.withLock(waking: .one) { $0 = (reload: reload, isSecond: isSecond) }
                }
            )
        }

        let first = try #require(shown.withLock { $0 })
        // The folder is usually read later, but a busy machine may start this thread again too late.
        guard first.isBeingRead else { return #expect(first.startItem == 6) }
        #expect(captions(first) == ["7.png"])
        let (reload, isSecond) = await blocking { late.wait { $0 } }
        #expect(isSecond)
        #expect(reload.change?.numbers[0] == 6)
        #expect(reload.change?.feed.count == 500)
        #expect(!reload.isNews)
    }
}
