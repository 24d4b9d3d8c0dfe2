import FeedHarness
import Glibc
import ImageLoading
@testable import Feeds
import Testing
import SystemSupport

@Suite struct FolderTreeTests {
    private let folder = TestFolder()

    private func read(
        _ path: String = "",
        depth: Int? = nil,
        exclude: [String] = [],
        hidden: Bool = false
    ) async throws -> Feed {
        var reader = FeedReader(manager: LoadingHarness().manager)
        reader.options.tree = TreeOptions(depth: depth, exclusions: ExclusionRules(exclude))
        reader.options.includesHidden = hidden
        let (ready, root) = (reader, folder.path + path)
        return try await blocking {
            Result { () throws(FeedError) in try ready.read([.path(root)]) }
        }.get()
    }

    @Test func `a folder's images precede its folders, both in natural order`() async throws {
        folder.addPictures(
            "b10.jpg",
            "b9.jpg",
            "f10/a.png",
            "f9/x/deep.png",
            "f9/c.png",
            ".hidden/d.png",
            "no.txt"
        )

        let feed = try await read()

        let expected = ["b9.jpg", "b10.jpg", "no.txt", "f9/c.png", "f9/x/deep.png", "f10/a.png"]
        #expect(captions(feed) == expected)
        #expect(feed[4].url == "file://\(folder.path)/f9/x/deep.png")
    }

    @Test func `hidden files and folders are read if they are asked for`() async throws {
        folder.addPictures("a.png", ".b.png", ".c/d.png", "e/.f.png")

        #expect(try await captions(read()) == ["a.png"])
        let all = try await captions(read(hidden: true))
        #expect(all.sorted() == [".b.png", ".c/d.png", "a.png", "e/.f.png"])

        var reader = FeedReader(manager: LoadingHarness().manager)
        reader.options.includesHidden = true
        let (ready, root) = (reader, folder.path)
        let one = try await blocking {
            Result { () throws(FeedError) in try ready.read([.path(root)]) }
        }.get()
        #expect(captions(one).sorted() == [".b.png", "a.png"])
    }

    @Test func `depth counts the levels below the folder that is named`() async throws {
        folder.addPictures("a.png", "b/c.png", "b/d/e.png")

        #expect(try await captions(read(depth: 0)) == ["a.png"])
        #expect(try await captions(read(depth: 1)) == ["a.png", "b/c.png"])
        #expect(try await captions(read(depth: 9)) == ["a.png", "b/c.png", "b/d/e.png"])
    }

    @Test func `excluded folders are not even opened`() async throws {
        folder.addPictures("a.png", "thumbs/a.png", "b/thumbs/c.png", "b/x.png", "b/keep.png")

        let feed = try await read(exclude: ["thumbs/", "/b/*.png", "!keep.png"])

        #expect(captions(feed) == ["a.png", "b/keep.png"])
    }

    @Test func `a folder whose name ends like an image's is a folder`() async throws {
        folder.addPictures("a.png", "x.jpg/in.png", "b/z.png/deep.png")

        #expect(try await captions(read()) == ["a.png", "b/z.png/deep.png", "x.jpg/in.png"])
        let pictures = try FolderPictures(of: folder.path)
        #expect(pictures.names == ["a.png"])
        #expect(pictures.folders.count == 2)
    }

    @Test func `folders of file servers and of the system are left out and counted`() async throws {
        folder.addPictures("a.png", "@eaDir/a.png", "b/#recycle/c.png", "b/d.png")

        let feed = try await read()

        #expect(captions(feed) == ["a.png", "b/d.png"])
        let text = "left out 2 folders of the system (such as #recycle)"
        #expect(feed.remark?.hasSuffix(text) == true)
        // No hint may promise their images.
        #expect(try FolderPictures(of: folder.path).folders.count == 1)
    }

    @Test func `a folder that contains only folders reports how to show their images`() async throws
    {
        folder.addPictures("a/b.png", "c/d.png")
        let reader = FeedReader(manager: LoadingHarness().manager)
        let root = folder.path

        let error = await #expect(throws: FeedError.self) {
            try await blocking {
                Result { () throws(FeedError) in try reader.read([.path(root)]) }
            }.get()
        }

        let text = "contains no supported image; -r shows the images in its 2 subfolders"
        #expect(error?.description.hasSuffix(text) == true)
    }

    @Test func `a folder that links lead to is read once, and a ring of links ends`() async throws {
        folder.addPictures("a/one.png", "b/two.png")
        symlink("..", "\(folder.path)/a/ring")
        symlink("\(folder.path)/b", "\(folder.path)/a/again")

        let feed = try await read()

        #expect(captions(feed) == ["a/one.png", "a/again/two.png"])
    }

    @Test func `names may hold anything but a slash`() async throws {
        let odd = "x/a:b?#%41\n" + FileText.text([0xE9]) + ".png"
        folder.addPictures(odd)

        let feed = try await read()

        #expect(feed[0].url == "file://\(folder.path)/x/a:b%3F%23%2541%0A%E9.png")
        let manager = LoadingHarness().manager
        _ = try await manager.response(for: ImageRequest(url: feed[0].url))
    }

    @Test func `a tree without an image reports it`() async {
        let error = await #expect(throws: FeedError.self) { try await read() }
        let text = "the folder and its subfolders contain no supported image"
        #expect(error?.description.contains(text) == true)
    }

    @Test func `images are delivered while folders are still being read`() async throws {
        folder.addPictures("a.png", "b/c.png", "d/e.png")
        let (root, tree) = (folder.path, TreeOptions())

        let counts = try await blocking {
            Result { () throws(FeedError) in
                var counts: [Int] = []
                _ = try FolderTree(root: root, options: tree).feed(name: "t") {
                    (growing) throws(FeedError) in
                    counts.append(try growing.feed()?.count ?? 0)
                }
                return counts
            }
        }.get()

        #expect(counts == [1, 2, 3])
    }

    @Test func `reading a tree stops if its feed is no longer wanted`() async {
        folder.addPictures("a.png", "b/c.png", "d/e.png")
        var reader = FeedReader(manager: LoadingHarness().manager)
        reader.options.tree = TreeOptions()
        let (ready, root) = (reader, folder.path)

        let failures = await blocking {
            var failures: [String] = []
            var stream = FeedStream(reader: ready) { event in
                if case .opened(.failure(let error)) = event {
                    failures.append(error.description)
                }
            }
            stream.isWanted = { false }
            stream.run([.path(root)])
            return failures
        }

        #expect(failures.count == 1 && failures.first?.hasSuffix(": left") == true)
    }
}
