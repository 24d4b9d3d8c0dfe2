import ImageLoading
import ImageLoadingTesting
import Testing

@testable import TermGallery

@Suite struct CellBindingsTests {
    private let harness = LoadingHarness()

    @Test func `binding a slot anew cancels its transfer, and others stay`() async {
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

    @Test func `news of a slot's earlier picture is dropped`() async {
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

    @Test func `unbinding and news for what was never bound do nothing`() {
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { _ in },
            listener: { _, _ in }
        )

        bindings.unbind(99)

        #expect(harness.manager.statistics.started == 0)
    }
}
