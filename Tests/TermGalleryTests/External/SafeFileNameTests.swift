import FoundationEssentials
import GalleryCore
import Glibc
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

@Suite struct SafeFileNameTests {
    private func name(_ url: String, _ caption: String = "", _ suffixes: [String] = []) -> String {
        SafeFileName.name(forURL: url, caption: caption, suffixes: suffixes)
    }

    @Test func `the name is taken from the URL's path, with a suffix of the format`() {
        #expect(name("http://h/a/cat.jpg?x=1", "A cat", ["jpg", "jpeg"]) == "cat.jpg")
        #expect(name("http://h/a/cat.JPEG", "", ["jpg", "jpeg"]) == "cat.JPEG")
        #expect(name("http://h/a/cat.php", "", ["jpg", "jpeg"]) == "cat.php.jpg")
        #expect(name("http://h/a/cat", "", ["png"]) == "cat.png")
        #expect(name("data:image/png;base64,AA", "Red dot", ["png"]) == "Red dot.png")
        #expect(name("data:,", "", ["png"]) == "image.png")
        #expect(name("file:///a/b%20c.tif", "", []) == "b c.tif")
    }

    @Test(arguments: [
        "http://h/..%2F..%2Fetc%2Fpasswd", "http://h/.bashrc", "http://h/-rf", "http://h/...",
        "http://h/%1B%5B2J.png", "http://h/a%0Ab.png", "http://h/%E2%80%AEgpj.png", "http://h/%00",
        "http://h/%FF%FE.png", "file:///%2F",
        "http://h/" + String(repeating: "%E6%97%A5", count: 500),
    ])
    func `a name is never a path, hidden, an option or a terminal control`(url: String) {
        for caption in ["", "../x", "\u{1B}]0;x\u{7}"] {
            let name = name(url, caption, ["png"])
            #expect(!name.contains("/") && !name.isEmpty)
            #expect(!name.hasPrefix(".") && !name.hasPrefix("-"))
            #expect(name.utf8.count <= 255 - 6)
            #expect(name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
            #expect(name.hasSuffix(".png"))
        }
    }

    @Test func `a number is inserted before the suffix`() {
        #expect(SafeFileName.numbered("a.b.jpg", 1) == "a.b.jpg")
        #expect(SafeFileName.numbered("a.b.jpg", 2) == "a.b-2.jpg")
        #expect(SafeFileName.numbered("a", 3) == "a-3")
    }

    @Test func `no file is overwritten, nor written through a link`() throws {
        var template = Array("/tmp/termgallery-names-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { try? FileManager.default.removeItem(atPath: folder) }
        symlink("\(folder)/target", "\(folder)/a-2.png")

        let names = try ["1", "2", "3"].map { text in
            try NewFile.make(.bytes(Array(text.utf8)), named: "a.png", in: folder)
        }
        #expect(names == ["a.png", "a-3.png", "a-4.png"])
        #expect(try String(contentsOfFile: "\(folder)/a.png", encoding: .utf8) == "1")
        #expect(access("\(folder)/target", F_OK) != 0)

        let copy = try NewFile.make(.file(path: "\(folder)/a-3.png"), named: "b.png", in: folder)
        #expect(try String(contentsOfFile: "\(folder)/\(copy)", encoding: .utf8) == "2")
        #expect(throws: NewFile.Problem(reason: "No such file or directory")) {
            try NewFile.make(.file(path: "\(folder)/none"), named: "c.png", in: folder)
        }
        #expect(access("\(folder)/c.png", F_OK) != 0)
    }

    @Test(arguments: [
        ("a.png", "a.png"), ("a:b?.png", "a_b_.png"), ("\"*:<>?|\\", "________"),
        ("/m:n/a:b", "/m:n/a_b"), ("a. .", "a___"), ("a b.c", "a b.c"), ("\u{1}é", "_é"),
        ("/m/..", "/m/.."), ("/m/", "/m/"), ("", ""),
    ])
    func `characters that FAT forbids in a name are replaced`(path: String, expected: String) {
        #expect(SafeFileName.portable(path) == expected)
    }

    /// Opens files like a file system that refuses some characters with `code`.
    private func refusing(_ code: Int32) -> NewFile.Opening {
        { path, flags, mode in
            guard !path.utf8.contains(UInt8(ascii: ":")) else {
                errno = code
                return -1
            }
            return NewFile.systemOpen(path, flags, mode)
        }
    }

    @Test(arguments: [EINVAL, EILSEQ])
    func `a name that the file system refuses is replaced`(code: Int32) throws {
        let folder = try TemporaryFolder()
        func make(_ name: String) throws(NewFile.Problem) -> String {
            try NewFile.make(
                .bytes([1]),
                named: name,
                in: folder.path,
                opening: refusing(code)
            )
        }

        #expect(try make("a:b.png") == "a_b.png")
        #expect(try make("a:b.png") == "a_b-2.png")
    }

    @Test func `another error, and a name without forbidden characters, fail`() throws {
        let folder = try TemporaryFolder()
        let refuseAll: NewFile.Opening = { _, _, _ in
            errno = EINVAL
            return -1
        }

        #expect(throws: NewFile.Problem.self) {
            try NewFile.make(.bytes([1]), named: "a.png", in: folder.path, opening: refuseAll)
        }
        #expect(throws: NewFile.Problem(reason: "Permission denied")) {
            try NewFile.make(.bytes([1]), named: "a:", in: folder.path, opening: refusing(EACCES))
        }
    }

    @Test func `an opener's words are used as given, with the file instead of {}`() {
        #expect(Opener(chosen: "").words(for: "/a b") == ["xdg-open", "/a b"])
        #expect(Opener(chosen: "feh -F").words(for: "/a b") == ["feh", "-F", "/a b"])
        #expect(Opener(chosen: " gimp {} -n").words(for: "/a;b") == ["gimp", "/a;b", "-n"])
        #expect(Opener(chosen: "").isDetached && !Opener(chosen: "vim").isDetached)
        #expect(Opener(chosen: "no-such-program").problem?.contains("TERMGALLERY_OPENER") == true)
        #expect(Opener(chosen: "sh").problem == nil)
    }

    @Test func `a command gets files as arguments, with any names`() {
        let files = ["/a b", "/$(reboot);x", "-rf"]
        let command = ShellCommand("cp {} /tmp", files: files, names: .arguments)
        #expect(command.words == ["/bin/sh", "-c", "cp \"$@\" /tmp", "sh"] + files)
        #expect(
            ShellCommand("ls", files: files, names: .arguments).words
                == ["/bin/sh", "-c", "ls \"$@\"", "sh"] + files
        )
        let lines = ShellCommand("wc {}", files: files, names: .lines)
        #expect(lines.words == ["/bin/sh", "-c", "wc {}"])
        #expect(lines.standardInput == Array("/a b\n/$(reboot);x\n-rf\n".utf8))
        let zeros = ShellCommand("xargs -0 ls", files: ["/a\nb", "/c"], names: .zeroEnded)
        #expect(zeros.words == ["/bin/sh", "-c", "xargs -0 ls"])
        #expect(zeros.standardInput == Array("/a\nb\0/c\0".utf8))
    }

    @Test func `the clipboard is given text in base64`() {
        let bytes = Clipboard.sequence("/a b")
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}]52;c;L2EgYg==\u{7}")
    }
}
