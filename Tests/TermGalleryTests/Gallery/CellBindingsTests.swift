import Decoders
import FeedHarness
import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import Feeds
@testable import TermGallery

@Suite struct CellBindingsTests {
    private let harness = LoadingHarness()

    @Test func `binding a slot again cancels its transfer, and others stay`() async {
        let transport = harness.transport
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { _ in },
            listener: { _, _ in }
        )
        bindings.bind(slot: 0, to: ImageRequest(url: LoadingHarness.url(0)))
        bindings.bind(slot: 1, to: ImageRequest(url: LoadingHarness.url(1)))
        await transport.waitForStarts(2)

        bindings.bind(slot: 0, to: ImageRequest(url: LoadingHarness.url(2)))
        await transport.waitForStarts(3)

        #expect(transport.record.cancelledURLs == [LoadingHarness.url(0)])
        #expect(Set(transport.runningURLs) == [LoadingHarness.url(1), LoadingHarness.url(2)])
        bindings.unbind(1)
        await transport.waitForCancels(2)
        #expect(transport.runningURLs == [LoadingHarness.url(2)])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a cell's transfer stops when its image is final, and the detail view's continues`()
        async throws
    {
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { _ in },
            listener: { _, _ in }
        )
        let body = try Self.progressiveJPEG()
        var request = ImageRequest(url: LoadingHarness.url(0))
        request.targetSize = PixelSize(width: 20, height: 20)
        bindings.bindDetail(to: ImageRequest(url: LoadingHarness.url(1)))
        bindings.bind(slot: 0, to: request)
        await harness.transport.waitForStarts(2)

        for url in [1, 0].map(LoadingHarness.url) {
            let head = TransferHead(status: 200, expectedByteCount: body.count)
            harness.transport.send(.head(head), to: url)
            harness.transport.send(.chunk(Array(body.prefix(body.count / 2))), to: url)
        }
        await harness.transport.waitForCancels(1)

        #expect(harness.transport.record.cancelledURLs == [LoadingHarness.url(0)])
        #expect(harness.transport.runningURLs == [LoadingHarness.url(1)])
        bindings.unbind(CellBindings.detailID)
    }

    /// With enough pixels for its thumbnail to be made of the DC scan.
    private static func progressiveJPEG() throws -> [UInt8] {
        let size = PixelSize(width: 480, height: 360)
        let bytes = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            let (x, y) = (index % size.width, index / size.width)
            return [UInt8(x / 2), UInt8(y / 2), UInt8(x &* y & 0xFF), 255]
        }
        return try JPEGEncoder.encode(
            PixelBuffer(size: size, bytes: bytes, hasAlpha: false),
            quality: 90,
            progressive: true
        )
    }

    @Test func `news of a slot's earlier image is dropped`() async {
        let news = Protected<[ImageDelivery]>([])
        var heard: [Int] = []
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { delivery in news.withLock { $0.append(delivery) } },
            listener: { id, _ in heard.append(id) }
        )
        bindings.bind(slot: 3, to: ImageRequest(url: LoadingHarness.url(0)))
        await harness.transport.waitForStarts(1)
        harness.transport.fail(LoadingHarness.url(0), with: .notFound)
        bindings.bind(slot: 3, to: ImageRequest(url: LoadingHarness.url(1)))
        await harness.transport.waitForStarts(2)
        heard = []

        for delivery in news.withLock({ $0 }) where delivery.isFinal { bindings.accept(delivery) }

        #expect(heard.isEmpty)
    }

    @Test func `unbinding unbound slots, and news for them, do nothing`() {
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { _ in },
            listener: { _, _ in }
        )

        bindings.unbind(99)

        #expect(harness.manager.statistics.started == 0)
    }
}
