import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The page that is revealed to a server that refuses an image.
struct RefererTests {
    @Test(arguments: [
        ("http://a.example/p/?q#f", "http://a.example/i", "http://a.example/p/?q"),
        ("http://u:p@a.example/p", "http://a.example/i", "http://a.example/p"),
        ("http://a.example/p", "http://b.example/i", "http://a.example/"),
        ("http://a.example/p", "https://a.example/i", "http://a.example/p"),
        ("https://a.example:8/p", "https://b.example/i", "https://a.example:8/"),
        ("https://a.example/p", "http://a.example/i", nil),
        ("http://192.168.1.1/p", "http://a.example/i", nil),
        ("http://nas.local/p", "http://a.example/i", nil),
        ("http://localhost/p", "http://a.example/i", nil),
        ("http://192.168.1.1/p", "http://192.168.1.1/i", "http://192.168.1.1/p"),
        ("file:///home/p", "http://a.example/i", nil), (nil, "http://a.example/i", nil),
        ("http://a.example/p", "file:///i", nil), ("http://a.example/p", "data:,x", nil),
    ])
    func `a page is revealed to its own site, and its origin to others`(
        page: String?,
        image: String,
        expected: String?
    ) throws {
        let image = try ImageURL(parsing: image, origin: .local)

        #expect(Referer.value(page: page, image: image) == expected)
    }

    private static var request: ImageRequest {
        var request: ImageRequest = "http://a.example/1.png"
        request.page = "http://a.example/page"
        return request
    }

    /// Returns the answer of a server that sends a page instead of an image.
    private static func page(status: Int) -> ScriptedAnswer {
        let head = TransferHead(
            status: status,
            expectedByteCount: 4,
            headers: ["content-type": "text/html"]
        )
        return ScriptedAnswer(events: [.head(head), .chunk(Array("page".utf8)), .finished(nil)])
    }

    @Test(arguments: [403, 200, 404])
    func `a refused image is requested once more, with its page`(status: Int) async throws {
        let harness = ManagerHarness()
        harness.transport.answerStarts { request in
            if request.headers.contains(HeaderField("Referer", "http://a.example/page")) {
                return .body(PatternDecoder.bytes(width: 2, height: 2))
            }
            return Self.page(status: status)
        }

        let result = await harness.load(Self.request).result()

        #expect((try? result.get()) != nil || status == 404)
        #expect(harness.transport.starts.count == (status == 404 ? 1 : 2))
    }

    @Test func `the page is sent once, even if the server then refuses the image`() async {
        let harness = ManagerHarness()
        harness.transport.answerStarts { request in
            let hasPage = request.headers.contains { $0.isNamed("Referer") }
            return Self.page(status: hasPage ? 403 : 200)
        }

        let result = await harness.load(Self.request).result()

        #expect((try? result.get()) == nil)
        #expect(harness.transport.starts.count == 2)
    }
}
