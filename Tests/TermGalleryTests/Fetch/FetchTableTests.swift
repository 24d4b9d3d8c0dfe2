import FeedHarness
import GalleryCore
import Glibc
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

/// The tables of a fetch: what is open, what is known, what is done.
@Suite struct FetchTableTests {
    private func entry(_ url: String, byteCount: Int = 10) -> ListEntry {
        ListEntry(item: FeedItem(url: url), byteCount: byteCount)
    }

    @Test func `entries with the same URL share the load of the first`() {
        var open = OpenEntries()
        for number in 0..<3 { open.add(entry("a"), number) }

        let isFirst = (0..<3).map { open.join($0, 7) }
        let (shared, others) = (open.leave(7), open.leave(7))

        #expect(isFirst == [true, false, false])
        #expect(shared == [0, 1, 2] && others.isEmpty)
        let isFirstAgain = open.join(3, 7)
        #expect(isFirstAgain)
    }

    @Test func `an entry counts until its report is written, not until its load ends`() {
        var open = OpenEntries()
        let (first, second) = (entry("a", byteCount: 100), entry("b", byteCount: 20))
        open.add(first, 0)
        open.add(second, 1)

        let ends = [open.end(0), open.end(0)]
        #expect(ends[0]?.item.url == "a" && ends[1] == nil)
        #expect((open.count, open.byteCount) == (2, 120))
        open.release(first)
        #expect((open.count, open.byteCount) == (1, 20))
    }

    @Test
    func `the latest URLs are remembered, up to a limit, and repeated ones stay`() {
        var known = KnownOutcomes<Int>(capacity: 100)
        for number in 0..<10_000 {
            known.note(number, of: UInt64(number))
            let (kept, late) = (known.outcome(of: 5), max(0, number - 30))
            let recent = known.outcome(of: UInt64(late))
            #expect(kept == (number < 5 ? nil : 5))
            #expect(recent == late)
        }
        let old = known.outcome(of: 6)
        #expect(old == nil)
    }

    @Test func `the order follows the numbers, each once, whichever ends first`() {
        var generator = SeededGenerator(seed: 15)
        for _ in 0..<50 {
            var order = EndOrder<Int>()
            var told: [Int] = []
            for number in (0..<100).shuffled(using: &generator) {
                told += order.end(number, number)
            }
            #expect(told == Array(0..<100))
        }
    }

    @Test func `a done entry is taken as often as it was reported, and nothing else is`() {
        var done = DoneEntries { add in
            for number in 0..<3_000 { add("http://h/\(number % 1_000)") }
            add("http://h/once")
        }

        #expect(done.count == 3_001)
        for _ in 0..<3 {
            let taken = (0..<1_000).count { done.take("http://h/\($0)") }
            #expect(taken == 1_000)
        }
        let once = [done.take("http://h/once"), done.take("http://h/once")]
        let more = (0..<2_000).count { done.take("http://h/\($0)") }
        #expect(once == [true, false] && more == 0)
    }
}

/// The output of an earlier run.
@Suite struct DoneFileTests {
    private let folder = TestFolder()

    private func read(_ text: String) throws -> DoneFile {
        let path = folder.path + "/done.jsonl"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = OutputBytes.write(Array(text.utf8), to: descriptor)
        close(descriptor)
        defer { unlink(path) }
        return try DoneFile.read(path)
    }

    private static let ok =
        #"{"bytes":5,"status":"ok","url":"http://h/1.png","error":{"class":"x"}}"#

    @Test
    func `loaded and permanently failed entries are done, and temporarily failed ones are not`()
        throws
    {
        let failed = { (name: String, kind: String) in
            #"{"error":{"class":"\#(kind)","message":"m"},"status":"failed","url":"\#(name)"}"#
        }
        let lines = [
            Self.ok, failed("p", "permanent"), failed("t", "transient"), failed("o", "offline"),
            failed("f", "policy"), "", "{}", "nonsense", #"{"url":"x"}"#, #"["url","status"]"#,
        ]

        var done = try read(lines.joined(separator: "\n") + "\n").entries

        #expect(done.count == 2)
        let taken = ["http://h/1.png", "p"].map { done.take($0) }
        #expect(taken == [true, true])
    }

    @Test func `a URL is the decoded text of its JSON string`() throws {
        var done = try read(#"{"status":"ok","url":"http:\/\/h\/\u00e4\"é"}"# + "\n").entries

        let isTaken = done.take("http://h/ä\"é")
        #expect(isTaken)
    }

    @Test func `in a file cut at any byte exactly the whole lines are done`() throws {
        let whole = Self.ok + "\n" + Self.ok.replacing("1.png", with: "2.png") + "\n"
        for length in 0...whole.utf8.count {
            let file = try read(String(whole.utf8.prefix(length)) ?? "")
            var done = file.entries
            // An object is whole without its line feed too.
            let count = length >= whole.utf8.count - 1 ? 2 : length >= Self.ok.utf8.count ? 1 : 0
            #expect(done.count == count)
            let isTaken = done.take("http://h/1.png")
            #expect(isTaken == (count > 0))
            let isAtEnd = length == 0 || length == Self.ok.utf8.count + 1
            #expect(file.isCut == !(isAtEnd || length == whole.utf8.count))
        }
    }

    @Test func `a line without its end that another follows is not done`()
        throws
    {
        for length in 1..<Self.ok.utf8.count {
            let cut = String(Self.ok.utf8.prefix(length)) ?? ""

            let glued = try read(cut + Self.ok.replacing("1.png", with: "2.png") + "\n").entries

            #expect(glued.count == 0)
        }
    }

    @Test func `a missing file has no entries, and a folder is an error`() throws {
        #expect(try DoneFile.read(folder.path + "/none").entries.count == 0)
        #expect(throws: ProgramFailure.self) { try DoneFile.read(folder.path) }
    }
}
