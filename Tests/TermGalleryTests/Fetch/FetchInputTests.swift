import Decoders
import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
import ImageLoadingTesting
import PropertyRuns
import SystemSupport
import Testing

@testable import Feeds
@testable import TermGallery

/// Lists that are read piece by piece.
@Suite struct FetchInputTests {
    private let harness = LoadingHarness()

    private struct Lines {
        var entries: [ListEntry] = []
        var total: Int?
        var remarks: [String] = []
        var fault: FeedError?
    }

    /// All that is read of what `write` writes into a pipe and then closes.
    private func lines(
        options: FeedOptions = FeedOptions(),
        takesMore: Bool = true,
        _ write: @escaping @Sendable (Int32) -> Void
    ) async -> Lines {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let (source, sink) = (ends[0], ends[1])
        let reader = FeedReader(manager: harness.manager, options: options)
        let input = FetchInput([.standardInput], reader: reader, descriptor: source)
        let parts = BlockingQueue<FetchInput.Part>()
        #expect(input.start { parts.put($0) })
        let writing = Protected(false)
        let isStarted = POSIXThread.startDetached(name: "writer") {
            write(sink)
            close(sink)
            writing.withLock { $0 = true }
        }
        #expect(isStarted)
        return await blocking {
            var lines = Lines()
            while true {
                switch parts.take() {
                case .entries(let entries):
                    lines.entries += entries
                    input.wantMore()
                case .total(let total): lines.total = total
                case .remark(let remark): lines.remarks.append(remark)
                case .ended(let fault):
                    lines.fault = fault
                    close(source)
                    return lines
                }
            }
        }
    }

    private func lines(of text: String, options: FeedOptions = FeedOptions()) async -> Lines {
        await lines(options: options) { _ = OutputBytes.write(Array(text.utf8), to: $0) }
    }

    @Test func `an entry is delivered before the line after it`() async {
        let input = Protected<[String]>([])
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let (source, sink) = (ends[0], ends[1])
        let reader = FeedReader(manager: harness.manager)
        let list = FetchInput([.standardInput], reader: reader, descriptor: source)
        let parts = BlockingQueue<FetchInput.Part>()
        #expect(list.start { parts.put($0) })

        for number in 0..<3 {
            _ = OutputBytes.write(Array("http://h/\(number)\n".utf8), to: sink)
            let part = await blocking { parts.take() }
            guard case .entries(let entries) = part else {
                Issue.record("no entries")
                break
            }
            list.wantMore()
            input.withLock { $0 += entries.map(\.item.url) }
        }

        #expect(input.withLock(\.self) == ["http://h/0", "http://h/1", "http://h/2"])
        close(sink)
    }

    @Test func `a million lines are read, each once, in their order`() async {
        let count = PropertyRuns.count(1_000) * 1_000
        let lines = await lines { sink in
            for first in stride(from: 0, to: count, by: 1_000) {
                let text = (first..<first + 1_000).map { "http://h/\($0)\n" }.joined()
                _ = OutputBytes.write(Array(text.utf8), to: sink)
            }
        }

        #expect(lines.entries.count == count && lines.total == count && lines.fault == nil)
        #expect(lines.entries.indices.allSatisfy { lines.entries[$0].item.url == "http://h/\($0)" })
    }

    @Test func `input is read only as fast as it is consumed`() async {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let (source, sink) = (ends[0], ends[1])
        let reader = FeedReader(manager: harness.manager)
        let list = FetchInput([.standardInput], reader: reader, descriptor: source)
        let parts = BlockingQueue<FetchInput.Part>()
        #expect(list.start { parts.put($0) })
        #expect(fcntl(sink, F_SETFL, O_NONBLOCK) == 0)

        // Two batches, the pieces in hand, and the pipe's own 64 KiB; then the pipe is full.
        let line = Array("http://h/\(String(repeating: "x", count: 1_000))\n".utf8)
        var byteCount = 0
        var pause = pollfd(fd: sink, events: Int16(POLLOUT), revents: 0)
        while poll(&pause, 1, 500) == 1 {
            let count = write(sink, line, line.count)
            guard count > 0 else { continue }
            byteCount += count
        }

        #expect(byteCount < 2 << 20)
        list.close()
        close(sink)
    }

    @Test func `other fields of a record are unchanged`() async throws {
        var options = FeedOptions()
        options.urlKey = "media.0.url"
        let lines = await lines(
            of: """
                {"id":1.50,"media":[{"url":"http://h/1.jpg"}],"tags":["a",null],"title":"T\\u00e9"}
                {"id":2,"media":[]}
                {"id":
                """,
            options: options
        )

        try #require(lines.entries.count == 3 && lines.fault == nil)
        let first = lines.entries[0]
        #expect(first.item.url == "http://h/1.jpg")
        #expect(
            first.fields.map { "\($0.name)=\($0.json)" } == [
                "id=1.50", #"media=[{"url":"http://h/1.jpg"}]"#, #"tags=["a",null]"#,
                "title=\"Té\"",
            ]
        )
        #expect(lines.entries[1].item.problem == "it has no field \"media.0.url\"")
        #expect(lines.entries[1].fields.first?.json == "2")
        #expect(lines.entries[2].item.problem != nil)
    }

    @Test func `the columns of a table are fields, and bad records keep their position`() async {
        let rows = (1...3_000).map { "\($0),http://h/\($0).jpg,\"c \"\"\($0)\"\"\"\n" }.joined()
        let lines = await lines(of: "id,url,caption\n" + rows + "3001\n")

        #expect(lines.entries.count == 3_001)
        let last = lines.entries[2_999]
        #expect(last.item.url == "http://h/3000.jpg")
        #expect(last.fields.map(\.json) == ["\"3000\"", #""c \"3000\"""#])
        let place = "id,url,caption\n".utf8.count + rows.utf8.count
        #expect(lines.entries[3_000].item.url == "record at byte \(place)")
    }

    @Test func `a quotation mark that is never closed costs neither memory nor earlier lines`()
        async
    {
        let rows = (1...100).map { "http://h/\($0).jpg,c\n" }.joined()
        let lines = await lines { sink in
            _ = OutputBytes.write(Array("url,caption\n\(rows)http://h/x.jpg,\"".utf8), to: sink)
            let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            for _ in 0..<40 { _ = OutputBytes.write(filler, to: sink) }
        }

        #expect(lines.entries.prefix(100).allSatisfy { $0.item.problem == nil })
        #expect(lines.entries.count > 100)
        #expect(lines.entries.dropFirst(100).allSatisfy { $0.item.problem != nil })
    }

    @Test func `lines of a megabyte and binary lines fail alone`() async {
        var generator = SeededGenerator(seed: 3)
        let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let long = String(repeating: "a", count: 1 << 20)
        let lines = await lines { sink in
            let text = "http://h/1\n\(long)\nhttp://h/\(long)\nhttp://h/2\n"
            _ = OutputBytes.write(Array(text.utf8) + noise, to: sink)
            _ = OutputBytes.write(Array("\nhttp://h/3\n".utf8), to: sink)
        }

        let good = lines.entries.filter { $0.item.problem == nil && $0.item.url.hasPrefix("http") }
        #expect(good.map(\.item.url) == ["http://h/1", "http://h/2", "http://h/3"])
        #expect(lines.entries.count { $0.item.problem == "line is longer than 8 KiB" } == 2)
        #expect(lines.entries.count > 200)
    }

    @Test func `a document that needs all of its bytes is read whole, and empty input is empty`()
        async
    {
        let array = await lines(of: #"[{"url":"http://h/1.jpg"},{"url":"http://h/2.jpg"}]"#)
        let none = await lines(of: "")
        let comments = await lines(of: "# nothing\n\n")

        #expect(array.entries.map(\.item.url) == ["http://h/1.jpg", "http://h/2.jpg"])
        #expect(none.entries.isEmpty && none.fault == nil && none.total == 0)
        #expect(comments.entries.isEmpty && comments.fault == nil)
    }

    @Test func `a list of feeds is read as one, and not as a feed without entries`() async {
        harness.transport.answerStarts { _ in
            .body(Array("<rss><item><enclosure url=\"1.jpg\"/></item></rss>".utf8))
        }

        let lines = await lines(
            of: "<opml><body><outline xmlUrl=\"http://a.example/feed\"/></body></opml>"
        )

        #expect(lines.entries.map(\.item.url) == ["http://a.example/1.jpg"] && lines.fault == nil)
    }

    @Test func `entries may end with NUL`() async {
        var options = FeedOptions()
        options.endsEntriesWithZero = true
        let lines = await lines(of: "/a b.jpg\0/c d.jpg\0/e", options: options)

        #expect(
            lines.entries.map(\.item.url) == [
                "file:///a%20b.jpg", "file:///c%20d.jpg", "file:///e",
            ]
        )
    }
}
