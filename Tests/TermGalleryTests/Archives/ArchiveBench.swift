import FeedHarness
import GalleryCore
import ImageLoading
import ImageLoadingTesting
@testable import Feeds
@testable import TermGallery
@testable import TerminalUI
import Testing

/// Reads archives as feeds, and loads what is in them.
struct ArchiveBench {
    var harness = LoadingHarness()

    func read(_ source: FeedSource) async -> Result<Feed, FeedError> {
        let reader = FeedReader(manager: harness.manager)
        return await blocking { Result { () throws(FeedError) in try reader.read([source]) } }
    }

    /// Expects an item to be the picture of the harness.
    func load(_ item: FeedItem, _ origin: RequestOrigin = .local) async throws {
        let request = ImageRequest(url: item.url, origin: origin)
        let response = try await harness.manager.response(for: request)
        #expect(response.image.properties.size == PixelSize(width: 3, height: 2))
    }

    /// Why an item can't be loaded.
    func reason(_ item: FeedItem) async -> String {
        do throws(ImageLoadingError) {
            _ = try await harness.manager.response(for: ImageRequest(url: item.url))
            return "loaded"
        } catch {
            return error.description
        }
    }

    /// Answers with parts of an archive, as servers do.
    ///
    /// `sendsParts` is false for servers that can't, and `honorsIfRange` for those that send a part
    /// of another version than the one asked for.
    func serve(
        _ bytes: [UInt8],
        sendsParts: Bool = true,
        honorsIfRange: Bool = false,
        version: @escaping @Sendable () -> String?
    ) {
        harness.transport.answerStarts { request in
            func field(_ name: String) -> String? {
                request.headers.first { $0.isNamed(name) }?.value
            }
            let tag = version().map { "\"\($0)\"" }
            let isOther = honorsIfRange && field("If-Range") ?? tag != tag
            guard sendsParts, !isOther, let range = field("Range")?.dropFirst(6) else {
                return .body(bytes)
            }
            let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            let first = ends[0] ?? max(0, bytes.count - (ends[1] ?? 0))
            guard first < bytes.count else {
                let fields = ["content-range": "bytes */\(bytes.count)"]
                let head = TransferHead(status: 416, expectedByteCount: 0, headers: fields)
                return ScriptedAnswer(events: [.head(head), .finished(nil)])
            }
            let end = ends[0] == nil ? bytes.count : min(bytes.count, (ends[1] ?? .max - 1) + 1)
            var headers = ["content-range": "bytes \(first)-\(end - 1)/\(bytes.count)"]
            headers["etag"] = tag
            let head = TransferHead(
                status: 206,
                expectedByteCount: end - first,
                headers: headers
            )
            let part = Array(bytes[first..<end])
            return ScriptedAnswer(events: [.head(head), .chunk(part), .finished(nil)])
        }
    }

    /// Answers with parts of one version of an archive.
    func serve(
        _ bytes: [UInt8],
        sendsParts: Bool = true,
        honorsIfRange: Bool = false,
        version: String? = "v1"
    ) {
        serve(bytes, sendsParts: sendsParts, honorsIfRange: honorsIfRange) { version }
    }
}
