import Feeds
import Testing

@testable import GalleryCore

@Suite struct FolderWalkTests {
    private func walk(_ paths: String..., hasOpenParent: Bool = false) -> FolderWalk {
        var walk = FolderWalk()
        for (index, path) in paths.enumerated() {
            var folder = FeedFolder(path: path)
            folder.hasOpenParent = index == 0 && hasOpenParent
            walk.open(folder)
        }
        return walk
    }

    @Test func `the start folder cannot be left`() {
        #expect(walk("/a").leaving() == nil)
        #expect(FolderWalk().leaving() == nil)
    }

    @Test func `entered folders are left in the reverse order`() {
        let walk = walk("/a", "/a/b", "/a/b/c")

        let request = walk.leaving()

        #expect(request?.target == "/a/b")
        #expect(request?.current == "/a/b/c")
        #expect(request?.ancestors == ["/a"])
        #expect(request?.isLeaving == true)
        #expect(self.walk("/a", "/a/b", "/a/b/c", "/a/b").path == ["/a", "/a/b"])
    }

    @Test func `the folder of a named image can be left up to the root`() {
        let walk = walk("/a/b", hasOpenParent: true)

        #expect(walk.leaving()?.target == "/a")
        #expect(walk.leaving()?.ancestors == ["/"])
        #expect(self.walk("/a/b", "/a", hasOpenParent: true).leaving()?.target == "/")
        #expect(self.walk("/a/b", "/a", "/", hasOpenParent: true).leaving() == nil)
    }

    @Test func `a folder that was not entered from the current folder is a new start`() {
        #expect(walk("/a", "/a/b", "/x").path == ["/x"])
        #expect(walk("/a", "/a/b/c").path == ["/a/b/c"])
        #expect(walk("/a/b", "/x", "/x/y", hasOpenParent: true).leaving()?.ancestors == [])
    }

    @Test func `a feed without folders ends the walk`() {
        var walk = walk("/a", "/a/b")
        walk.open(nil)
        #expect(walk == FolderWalk())
    }

    @Test func `a request to enter a folder names the folders that may still exist`() {
        let request = walk("/a", "/a/b").entering("/a/b/c")

        #expect(request.target == "/a/b/c")
        #expect(request.current == "/a/b")
        #expect(request.ancestors == ["/a"])
        #expect(!request.isLeaving)
    }

    @Test func `a deleted folder is replaced by the nearest folder around it`() {
        #expect(walk("/a", "/a/b").retreating()?.ancestors == ["/a"])
        #expect(walk("/a", "/a/b").retreating()?.target == nil)
        #expect(walk("/a").retreating() == nil)
    }

    @Test(arguments: [
        ("/a/b", "/a"), ("/a/", "/"), ("/a/b/.", "/a"), ("/a/..", "/a/../.."), ("/a/b//", "/a"),
    ])
    func `the parent of a path ignores dots and slashes at its end`(path: String, parent: String) {
        #expect(FolderWalk.parent(of: path) == parent)
    }

    @Test func `a folder named with a slash or a dot at its end can be entered and left`() {
        #expect(walk("/a/.", "/a/./b").leaving()?.target == "/a/.")
        #expect(walk("/a/", "/a//b").leaving()?.target == "/a/")
        #expect(FolderWalk.parent(of: "/") == nil)
    }
}
