import FeedHarness
import GalleryCore
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import TermGallery
@testable import TerminalUI

@Suite struct KeptLoadsTests {
    private let harness = LoadingHarness()

    @Test func `a kept load continues when its cell leaves, and stops when all are cancelled`()
        async throws
    {
        let mailbox = try Mailbox<GalleryMail>()
        let kept = KeptLoads(manager: harness.manager, mailbox: mailbox)
        let bindings = CellBindings(
            manager: harness.manager,
            deliver: { _ in },
            listener: { _, _ in }
        )
        for slot in 0...1 {
            bindings.bind(slot: slot, to: ImageRequest(url: LoadingHarness.url(slot)))
        }
        await harness.transport.waitForStarts(2)

        kept.keep(try #require(bindings.request(ofSlot: 0)), as: 1)
        bindings.unbind(0)
        bindings.unbind(1)
        await harness.transport.waitForCancels(1)
        #expect(harness.transport.runningURLs == [LoadingHarness.url(0)])
        #expect(harness.transport.starts.count == 2)

        kept.cancelAll()
        await harness.transport.waitForCancels(2)
        #expect(harness.transport.runningURLs.isEmpty)
    }

    @Test func `beyond the limit the oldest kept load is cancelled`() async throws {
        let kept = KeptLoads(manager: harness.manager, mailbox: try Mailbox<GalleryMail>())
        for load in 0...KeptLoads.limit {
            kept.keep(ImageRequest(url: LoadingHarness.url(load)), as: load)
        }
        await harness.transport.waitForCancels(1)
        #expect(harness.transport.record.cancelledURLs == [LoadingHarness.url(0)])
    }

    @Test func `without cancellation a visible cell waits for earlier loads`() {
        #expect(KeptLoads.priorityOfCell(cancels: true) == .high)
        #expect(KeptLoads.priorityOfCell(cancels: false) < .high)
    }
}
