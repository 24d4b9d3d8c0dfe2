import GalleryCore
import Glibc
import ImageLoading
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

@Suite struct FeedWriterTests {
    private let folder: TemporaryFolder
    private let feed = Feed(
        items: [FeedItem(url: "http://h/1.jpg", caption: "One"), FeedItem(url: "http://h/2.jpg")],
        title: "t"
    )

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ path: String, overwrites: Bool) -> Result<Int, NewFile.Problem> {
        Result { () throws(NewFile.Problem) in
            try FeedWriter.write(
                ItemOrder(feedCount: feed.count),
                of: feed,
                to: path,
                overwrites: overwrites
            ).written
        }
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try FileStart(of: path, count: 1 << 20).bytes, as: UTF8.self)
    }

    @Test func `a list is written, and no file is replaced unless requested`() throws {
        let path = "\(folder.path)/list.txt"
        #expect(write(path, overwrites: false) == .success(2))
        let lines = "http://h/1.jpg One\nhttp://h/2.jpg\n"
        #expect(try text(path) == lines)

        guard case .failure(let problem) = write(path, overwrites: false) else {
            Issue.record("written over")
            return
        }
        #expect(problem.reason.contains("write!"))
        #expect(write(path, overwrites: true) == .success(2))
        #expect(try text(path) == lines)
        #expect(PathCompleter.paths(startingWith: "\(folder.path)/").count == 1)
    }

    @Test func `a list is written under another name if the file system refuses its name`() throws {
        let path = "\(folder.path)/a:b.txt"

        let written = try FeedWriter.write(
            (ItemOrder(feedCount: feed.count), feed),
            to: path,
            overwrites: false
        ) { path, flags, mode in
            guard !path.utf8.contains(UInt8(ascii: ":")) else {
                errno = EINVAL
                return -1
            }
            return NewFile.systemOpen(path, flags, mode)
        }

        #expect(written.isRenamed && written.counts.written == 2)
        #expect(try !text("\(folder.path)/a_b.txt").isEmpty)
    }

    @Test func `the target of a link is replaced, and the link stays`() throws {
        let (path, link) = ("\(folder.path)/real", "\(folder.path)/link")
        #expect(write(path, overwrites: false) == .success(2))
        #expect(symlink(path, link) == 0)
        #expect(write(link, overwrites: true) == .success(2))
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `a missing folder is reported, and no file is left`() {
        guard case .failure(let problem) = write("\(folder.path)/no/list", overwrites: true) else {
            Issue.record("written")
            return
        }
        #expect(problem.reason == "No such file or directory")
        #expect(PathCompleter.paths(startingWith: "\(folder.path)/").isEmpty)
    }

    @Test func `paths start as typed, folders end in a slash, and dot files need a typed dot`() {
        for name in ["b one", "b two", ".hidden", "c"] { mkdir("\(folder.path)/\(name)", 0o700) }
        _ = write("\(folder.path)/b.txt", overwrites: false)
        let path = folder.path
        #expect(
            PathCompleter.paths(startingWith: "\(path)/b")
                == ["\(path)/b one/", "\(path)/b two/", "\(path)/b.txt"]
        )
        #expect(PathCompleter.paths(startingWith: "\(path)/.") == ["\(path)/.hidden/"])
        #expect(PathCompleter.paths(startingWith: "\(path)/zz").isEmpty)
        #expect(PathCompleter.paths(startingWith: "/no/such/folder/").isEmpty)
    }
}

@Suite struct FeedRequestTests {
    @Test func `options precede a name, which may contain blanks`() throws {
        let request = try FeedRequest("--url-key=a.b --caption-key c my feed.json")
        #expect(request.name == "my feed.json")
        #expect(request.options.urlKey == "a.b" && request.options.captionKey == "c")
        #expect(try FeedRequest("-0 list").options.endsEntriesWithZero)
        for flags in ["-r", "--recursive --hidden", "-0r", "-r --depth 2 -0", "-r --depth=2"] {
            let request = try FeedRequest(flags + " my folder")
            #expect(request.name == "my folder")
            #expect(request.options.tree != nil)
        }
        #expect(try FeedRequest("--hidden .").options.includesHidden)
        #expect(try FeedRequest("-").name == "-")
        #expect(try FeedRequest("-- -odd").name == "-odd")
    }

    @Test func `an error in the options is reported in one line`() {
        for line in ["--no-such x", "--encoding klingon x", "--url-key a.b"] {
            do throws(FeedRequest.Problem) {
                _ = try FeedRequest(line)
                Issue.record("\(line) was taken")
            } catch {
                #expect(!error.text.isEmpty && !error.text.contains("\n"))
            }
        }
    }
}

@Suite struct CursorReportTests {
    @Test func `a terminal report is found among keys, and half of one is not`() {
        let bytes = Array("q\u{1B}[A\u{1B}[12;34Rx".utf8)
        #expect(CursorReport(in: bytes).map { [$0.row, $0.column] } == [12, 34])
        for count in 0..<bytes.count - 2 {
            #expect(CursorReport(in: Array(bytes[..<count])) == nil)
        }
        #expect(CursorReport(in: Array("\u{1B}[1R".utf8)) == nil)
        #expect(CursorReport(in: Array("\u{1B}[99999999999999999999;1R".utf8)) == nil)
    }
}
