import FeedHarness
import Glibc
import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import Feeds

/// Reading again what was read before.
@Suite struct KnownFeedsTests {
    private let harness = LoadingHarness()
    private let folder = TestFolder()

    private func read(_ reader: FeedReader, _ source: FeedSource) async -> Result<Feed, FeedError> {
        await blocking { Result { () throws(FeedError) in try reader.read(source) } }
    }

    private static func answer(
        _ text: String,
        tag: String,
        to request: TransferRequest
    ) -> ScriptedAnswer {
        let isKnown = request.headers.contains { $0.name == "If-None-Match" && $0.value == tag }
        let bytes = isKnown ? [] : Array(text.utf8)
        let head = TransferHead(
            status: isKnown ? 304 : 200,
            expectedByteCount: isKnown ? nil : bytes.count,
            headers: ["etag": tag]
        )
        let chunks: [TransferEvent] = isKnown ? [] : [.chunk(bytes)]
        return ScriptedAnswer(events: [.head(head)] + chunks + [.finished(nil)])
    }

    @Test func `a server is asked whether its feed has changed`() async throws {
        let text = Protected((text: "a.jpg\n", tag: "\"1\""))
        harness.transport.answerStarts { request in
            let (text, tag) = text.withLock { $0 }
            return Self.answer(text, tag: tag, to: request)
        }
        let reader = FeedReader(manager: harness.manager)
        let source = FeedSource.remote("http://h.example/feed")

        #expect(try await read(reader, source).get().count == 1)
        #expect(reader.known.takeOutcome().hasChanged)
        #expect(try await read(reader, source).get().count == 1)
        #expect(!reader.known.takeOutcome().hasChanged)
        text.withLock { $0 = ("a.jpg\nb.jpg\n", "\"2\"") }
        #expect(try await read(reader, source).get().count == 2)
        #expect(reader.known.takeOutcome().hasChanged)

        let conditions = harness.transport.starts.map { request in
            request.headers.first { $0.name == "If-None-Match" }?.value
        }
        #expect(conditions == [nil, "\"1\"", "\"1\""])
    }

    @Test func `the newest version of a feed is sent, also if a 304 changed it`() async throws {
        let count = Protected(0)
        harness.transport.answerStarts { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let bytes = number == 1 ? Array("a.jpg\n".utf8) : []
            let head = TransferHead(
                status: number == 1 ? 200 : 304,
                expectedByteCount: nil,
                headers: ["etag": "\"\(number)\""]
            )
            let chunks: [TransferEvent] = number == 1 ? [.chunk(bytes)] : []
            return ScriptedAnswer(events: [.head(head)] + chunks + [.finished(nil)])
        }
        let reader = FeedReader(manager: harness.manager)

        for _ in 0..<3 {
            #expect(try await read(reader, .remote("http://h.example/feed")).get().count == 1)
        }

        let conditions = harness.transport.starts.map { request in
            request.headers.first { $0.name == "If-None-Match" }?.value
        }
        #expect(conditions == [nil, "\"1\"", "\"2\""])
    }

    @Test func `if a server gives no version, equal bytes are unchanged`() async throws {
        harness.transport.answerStarts { _ in .body(Array("a.jpg\n".utf8)) }
        let reader = FeedReader(manager: harness.manager)
        let source = FeedSource.remote("http://h.example/feed")
        _ = try await read(reader, source).get()
        _ = reader.known.takeOutcome()

        #expect(try await read(reader, source).get().count == 1)
        #expect(!reader.known.takeOutcome().hasChanged)
    }

    @Test func `each feed of a list is requested by itself, and a failed one stays unchanged`()
        async throws
    {
        let isAway = Protected(false)
        harness.transport.answerStarts { request in
            switch request.url {
            case "http://h.example/list":
                Self.answer(
                    "<opml><body><outline xmlUrl='http://a.example/'/>"
                        + "<outline xmlUrl='http://b.example/'/></body></opml>",
                    tag: "\"l\"",
                    to: request
                )
            case "http://b.example/" where isAway.withLock { $0 }: .body([], status: 404)
            default: Self.answer("\(request.url)1.jpg\n", tag: "\"f\"", to: request)
            }
        }
        let reader = FeedReader(manager: harness.manager)
        let source = FeedSource.remote("http://h.example/list")
        #expect(try await read(reader, source).get().count == 2)
        _ = reader.known.takeOutcome()
        isAway.withLock { $0 = true }

        #expect(try await read(reader, source).get().count == 2)
        let faults = reader.known.takeOutcome().faults
        #expect(faults.count == 1 && faults[0].hasPrefix("http://b.example/: "))
        let conditional = harness.transport.starts.filter { request in
            request.headers.contains { $0.name == "If-None-Match" }
        }
        #expect(conditional.count == 3)
    }

    @Test func `a file that has not changed is not read again`() async throws {
        let file = folder.add("feed.txt", Array("a.jpg\n".utf8))
        let reader = FeedReader(manager: harness.manager)
        _ = try await read(reader, .path(file)).get()
        _ = reader.known.takeOutcome()

        _ = try await read(reader, .path(file)).get()
        #expect(!reader.known.takeOutcome().hasChanged)
        folder.add("feed.txt", Array("a.jpg\nb.jpg\n".utf8))
        #expect(try await read(reader, .path(file)).get().count == 2)
        #expect(reader.known.takeOutcome().hasChanged)
        unlink(file)
        guard case .failure(let error) = await read(reader, .path(file)) else {
            Issue.record("a file that is gone was read")
            return
        }
        #expect(reader.known.keep(.path(file), because: error)?.count == 2)
        #expect(reader.known.takeOutcome().faults == [error.description])
    }
}
