import FoundationEssentials
import Glibc
import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct TrashTests {
    private let folder: String
    private let trash: Trash

    init() {
        var template = Array("/tmp/termgallery-trash-XXXXXX".utf8CString)
        folder = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
        trash = Trash(home: "\(folder)/share/Trash")
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private func make(_ name: String, _ text: String = "text") throws -> String {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
        return "\(folder)/\(name)"
    }

    private func text(_ name: String) -> String? {
        try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }

    @Test func `a file is moved to the trash in the home folder, with its original path`() throws {
        defer { remove() }
        let path = try make("a b%.png")
        _ = try trash.take(path, at: Date(timeIntervalSince1970: 1_700_000_000))

        #expect(access(path, F_OK) != 0)
        #expect(text("share/Trash/files/a b%.png") == "text")
        let note = try #require(text("share/Trash/info/a b%.png.trashinfo"))
        let start = "[Trash Info]\nPath=\(folder)/a%20b%25.png\nDeletionDate=2023-11-1"
        // The time is the local one.
        #expect(note.hasPrefix(start) && note.hasSuffix(":20\n"))
    }

    @Test func `equal file names get numbers, and each file is restored to its place`() throws {
        defer { remove() }
        let entries = try ["1", "2", "3"].map { try trash.take(make("a.png", $0)) }
        #expect(text("share/Trash/files/a-3.png") == "3")

        try trash.putBack(entries[1])
        #expect(text("a.png") == "2")
        #expect(text("share/Trash/info/a-2.png.trashinfo") == nil)

        // Another file has its place now.
        #expect(throws: NewFile.Problem(reason: "File exists")) { try trash.putBack(entries[0]) }
        #expect(text("a.png") == "2")
        #expect(text("share/Trash/files/a.png") == "1")
    }

    @Test func `a name that is not UTF-8 is recorded byte for byte`() throws {
        defer { remove() }
        let path = "\(folder)/\u{10FEFF}.png"
        let made = try NewFile.make(.bytes([1]), named: "\u{10FEFF}.png", in: folder)
        #expect(made == "\u{10FEFF}.png")
        let entry = try trash.take(path)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: "\(folder)/share/Trash/info"
        )
        #expect(names.count == 1)
        try trash.putBack(entry)
        #expect(try trash.take(path).path == path)
    }

    // A slash and the accent after it are one character of a string.
    @Test func `a name that starts with a combining accent is moved and recorded`() throws {
        defer { remove() }
        let path = try make("\u{301}a.png")
        let entry = try Trash(home: nil, top: folder).take(path)

        let note = text(".Trash-\(geteuid())/info/\u{301}a.png.trashinfo")
        #expect(note?.contains("\nPath=%CC%81a.png\n") == true)
        try trash.putBack(entry)
        #expect(access(path, F_OK) == 0)
    }

    @Test func `a missing or non-regular file is not deleted`() throws {
        defer { remove() }
        #expect(throws: NewFile.Problem.self) { try trash.take(folder) }
        #expect(throws: NewFile.Problem(reason: "No such file or directory")) {
            try trash.take("\(folder)/none.png")
        }
    }

    @Test func `in a folder reached through a link, the path below the real top is recorded`()
        throws
    {
        defer { remove() }
        mkdir("\(folder)/real", 0o700)
        symlink("real", "\(folder)/link")
        _ = try make("real/a.png")
        let entry = try Trash(home: nil, top: folder).take("\(folder)/link/a.png")

        let note = text(".Trash-\(geteuid())/info/a.png.trashinfo")
        #expect(note?.contains("\nPath=real/a.png\n") == true)
        try trash.putBack(entry)
        #expect(text("real/a.png") == "text")
    }

    // /dev/shm is another file system than /tmp.
    @Test func `a link to another file system leads to the trash of that file system`() throws {
        defer { remove() }
        var template = Array("/dev/shm/termgallery-trash-XXXXXX".utf8CString)
        let other = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { try? FileManager.default.removeItem(atPath: other) }
        symlink(other, "\(folder)/link")
        let path = try make("link/a.png")
        let entry = try trash.take(path)

        #expect(access("\(other)/.Trash-\(geteuid())", F_OK) != 0)
        #expect(access("/dev/shm/.Trash-\(geteuid())/files", F_OK) == 0)
        #expect(text("share/Trash/files/a.png") == nil)
        try trash.putBack(entry)
        #expect(text("link/a.png") == "text")
        for name in ["/files", "/info", ""] { rmdir("/dev/shm/.Trash-\(geteuid())\(name)") }
    }

    @Test func `the folder for files in the home trash may be a link`() throws {
        defer { remove() }
        mkdir("\(folder)/share", 0o700)
        mkdir("\(folder)/share/Trash", 0o700)
        mkdir("\(folder)/large", 0o700)
        symlink("\(folder)/large", "\(folder)/share/Trash/files")
        let entry = try trash.take(make("a.png"))

        #expect(text("large/a.png") == "text")
        #expect(text("share/Trash/info/a.png.trashinfo") != nil)
        try trash.putBack(entry)
        #expect(text("a.png") == "text")
    }

    @Test func `a link in the trash of another file system is not followed`() throws {
        defer { remove() }
        mkdir("\(folder)/.Trash-\(geteuid())", 0o700)
        mkdir("\(folder)/large", 0o700)
        symlink("\(folder)/large", "\(folder)/.Trash-\(geteuid())/files")
        let path = try make("a.png")
        #expect(throws: NewFile.Problem.self) { try Trash(home: nil, top: folder).take(path) }
        #expect(text("a.png") == "text")
    }

    @Test func `if the home folder has no trash, the file system's own is used`() throws {
        defer { remove() }
        let trash = Trash(home: nil, top: folder)
        let path = try make("a.png")
        let entry = try trash.take(path)
        // The path is relative: the file system may be mounted elsewhere another time.
        #expect(
            text(".Trash-\(geteuid())/info/a.png.trashinfo")?.contains("\nPath=a.png\n") == true
        )
        try trash.putBack(entry)
        #expect(text("a.png") == "text")

        // A shared trash folder is used only if other users cannot manipulate it.
        mkdir("\(folder)/.Trash", 0o777)
        chmod("\(folder)/.Trash", 0o1777)
        _ = try trash.take(path)
        #expect(text(".Trash/\(geteuid())/files/a.png") == "text")
    }
}
