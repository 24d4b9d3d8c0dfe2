import FeedHarness
import Glibc
import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing
import VirtualTerminal

@testable import Feeds

@Suite struct FeedStreamTests {
    /// A pipe whose reading end a stream follows on a thread of its own.
    private final class FollowedPipe {
        private let writer: Int32
        private let thread: OwnThread
        let events = Monitored()

        init(
            _ sources: [FeedSource] = [.standardInput],
            manager: ImageManager = LoadingHarness().manager
        ) {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            writer = ends[1]
            let (reader, events) = (ends[0], events)
            thread = OwnThread {
                var stream = FeedStream(reader: FeedReader(manager: manager)) { events.add($0) }
                stream.descriptor = reader
                stream.run(sources)
                close(reader)
            }
        }

        func write(_ text: String) {
            let bytes = Array(text.utf8)
            _ = Glibc.write(writer, bytes, bytes.count)
        }

        func end() {
            close(writer)
            thread.join()
        }
    }

    /// The events of a stream, for a test that waits for them.
    private final class Monitored: Sendable {
        private let told = Protected<[FeedStream.Event]>([])
        var all: [FeedStream.Event] { told.withLock { $0 } }
        func add(_ event: FeedStream.Event) { told.withLock { $0.append(event) } }

        var feed: Feed? {
            switch all.last {
            case .opened(.success(let feed)), .changed(let feed): feed
            case .opened(.failure), nil: nil
            }
        }

        func wait(for count: Int) -> Bool {
            for _ in 0..<12_000 where feed?.count != count { poll(nil, 0, 5) }
            return feed?.count == count
        }
    }

    @Test func `lines are delivered while the pipe is open, and its end is reported`() async {
        await blocking {
            let pipe = FollowedPipe()

            pipe.write("http://h/1\n")
            #expect(pipe.events.wait(for: 1))
            #expect(pipe.events.feed?.isOpen == true)
            pipe.write("http://h/2\nhttp://h/3\n")
            #expect(pipe.events.wait(for: 3))
            pipe.end()

            #expect(pipe.events.feed?.isOpen == false)
            #expect(pipe.events.feed?[2].url == "http://h/3")
            guard case .opened? = pipe.events.all.first else { return #expect(Bool(false)) }
            #expect(
                pipe.events.all.dropFirst().allSatisfy {
                    if case .changed = $0 { true } else { false }
                }
            )
        }
    }

    @Test func `a burst of lines is delivered in a few steps`() async {
        await blocking {
            let pipe = FollowedPipe()
            for number in 0..<20_000 { pipe.write("http://h/\(number)\n") }
            #expect(pipe.events.wait(for: 20_000))
            pipe.end()

            #expect(pipe.events.all.count < 200)
        }
    }

    @Test func `all feeds of a list of feeds are read`() async {
        let harness = LoadingHarness()
        harness.transport.answerStarts { request in
            .body(Array("http://h/\(request.url.last ?? "?").png\n".utf8))
        }
        await blocking {
            let pipe = FollowedPipe(manager: harness.manager)
            pipe.write("<opml><body><outline xmlUrl='http://f/a'/>")
            pipe.write("<outline xmlUrl='http://f/b'/></body></opml>")
            pipe.end()

            let feed = pipe.events.feed
            #expect(feed?.count == 2 && feed?.isOpen == false)
            #expect(feed?[1].url == "http://h/b.png")
        }
    }

    @Test func `a stream that ends without an image is an error`() async {
        await blocking {
            let pipe = FollowedPipe()
            pipe.write("# nothing\n")
            pipe.end()

            #expect(pipe.events.all.count == 1)
            guard case .opened(.failure(let error))? = pipe.events.all.first else {
                return #expect(Bool(false))
            }
            #expect(error.description.hasPrefix("standard input: contains no images"))
        }
    }
}
