import FeedHarness
import Glibc
import ImageLoading
import Testing

@testable import Feeds
@testable import TermGallery
import SystemSupport

@Suite struct FolderWatcherTests {
    private let folder = WatchedFolderHarness()

    @Test func `existing files are reported, the oldest first, and then new ones`() async {
        await blocking { [folder] in
            folder.write("b.png")
            folder.watch {
                folder.expect(["b.png"])
                folder.write("a.png")
                folder.expect(["b.png", "a.png"])
                folder.write("notes.txt")
                folder.write("b.png")
                folder.expect(["b.png+", "a.png"])
            }
        }
    }

    @Test func `a file is shown when it is closed, or moved to its place`() async {
        await blocking { [folder] in
            folder.watch {
                let file = open("\(folder.path)/open.png", O_WRONLY | O_CREAT, 0o600)
                write(file, LoadingHarness.picture, LoadingHarness.picture.count)
                folder.write("part.tmp")
                folder.move("part.tmp", "moved.png")
                folder.expect(["moved.png"])
                close(file)
                folder.expect(["moved.png", "open.png"])
            }
        }
    }

    @Test func `a link is reported as soon as it is made`() async {
        await blocking { [folder] in
            folder.watch {
                folder.write("real.data")
                symlink("real.data", "\(folder.path)/soft.png")
                link("\(folder.path)/real.data", "\(folder.path)/hard.png")
                folder.expect(["soft.png", "hard.png"])
            }
        }
    }

    @Test func `a deleted file leaves a trace, and a replaced one does not`() async {
        await blocking { [folder] in
            folder.write("a.png")
            folder.watch {
                folder.expect(["a.png"])
                folder.write("new.tmp")
                folder.move("new.tmp", "a.png")
                folder.expect(["a.png+"])
                folder.delete("a.png")
                folder.expect(["-a.png"])
                folder.write("a.png")
                folder.expect(["a.png+"])
            }
        }
    }

    @Test func `a rename keeps the image, a move out of the folder deletes it`() async {
        await blocking { [folder] in
            folder.write("a.png")
            folder.makeFolder("elsewhere")
            folder.watch {
                folder.move("a.png", "b.png")
                folder.expect(["b.png"])
                folder.move("b.png", "elsewhere/b.png")
                folder.expect(["-b.png"])
            }
        }
    }

    @Test func `watching continues after a folder vanishes and exists again`() async {
        await blocking { [folder] in
            folder.write("a.png")
            folder.watch {
                folder.expect(["a.png"])
                folder.delete("a.png")
                rmdir(folder.path)
                folder.expect(["-a.png"])
                mkdir(folder.path, 0o700)
                folder.write("a.png")
                folder.write("b.png")
                #expect(folder.eventually { Set(folder.pictures) == ["a.png+", "b.png"] })
            }
        }
    }

    @Test func `subfolders are watched on request, but never linked folders`() async {
        await blocking { [folder] in
            folder.makeFolder("one")
            folder.write("one/a.png")
            symlink("..", "\(folder.path)/one/loop")
            folder.watch({ $0.isRecursive = true }) {
                folder.expect(["a.png"])
                folder.makeFolder("two")
                folder.makeFolder("two/three")
                folder.write("two/three/b.png")
                folder.expect(["a.png", "b.png"])
                folder.move("two", "four")
                #expect(folder.eventually { Set(folder.pictures) == ["a.png", "-b.png", "b.png"] })
                folder.write("one/c.png")
                #expect(folder.eventually { folder.pictures.contains("c.png") })
            }
        }
    }

    @Test func `without events from the kernel the folder is polled`() async {
        await blocking { [folder] in
            folder.write("a.png")
            folder.makeFolder("sub")
            folder.watch({
                $0.usesEvents = false
                $0.isRecursive = true
            }) {
                folder.expect(["a.png"])
                folder.write("sub/b.png")
                folder.expect(["a.png", "b.png"])
                folder.write("a.png", LoadingHarness.picture + [0])
                folder.expect(["a.png+", "b.png"])
                folder.delete("sub/b.png")
                folder.delete("sub")
                folder.expect(["a.png+", "-b.png"])
            }
        }
    }

    @Test func `a burst beyond the kernel's queue loses no image`() async {
        await blocking { [folder] in
            let start = ContinuousClock.now
            folder.watch {
                for number in 0..<10_000 { folder.write("\(number).png", [1]) }
                #expect(folder.eventually { folder.count == 10_000 })
                // Ten a second, however long the writing takes.
                let elapsed = ContinuousClock.now - start
                #expect(Double(folder.tellCount) <= elapsed / .milliseconds(100) + 2)
            }
            for number in 0..<10_000 { folder.delete("\(number).png") }
        }
    }

    @Test func `hidden files are watched on request`() async {
        await blocking { [folder] in
            folder.write(".first.png")
            folder.watch {
                $0.includesHidden = true
            } _: {
                folder.write(".later.png")
                #expect(folder.eventually { folder.pictures.count == 2 })
                #expect(folder.pictures == [".first.png", ".later.png"])
            }
        }
    }

    @Test func `names of any bytes are images, but empty and hidden files are not`() async {
        await blocking { [folder] in
            folder.watch {
                folder.write("empty.png", [])
                folder.write(".hidden.png")
                folder.write(FileText.text([0x0A, 0x1B, 0xFF] + Array(".png".utf8)))
                folder.write("last.png")
                #expect(folder.eventually { folder.pictures.count == 2 })
                #expect(folder.pictures.last == "last.png")
            }
        }
    }
}
