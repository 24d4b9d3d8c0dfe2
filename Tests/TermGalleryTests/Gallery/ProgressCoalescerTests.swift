import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import TermGallery

@Suite struct ProgressCoalescerTests {
    private final class View: ImageDisplaying {
        func display(_ image: DecodedImage?) {}
    }

    // M40
    @Test func `however much progress there is one message waits for each binding`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        let post = ProgressCoalescer(mailbox: mailbox)
        let harness = LoadingHarness()
        var received: [Int] = []
        let view = View()
        let binding = ImageBinding(
            id: 5,
            view: view,
            manager: harness.manager,
            deliver: { post.send($0) }
        )
        let url = LoadingHarness.url(1)
        binding.setImage(
            with: ImageRequest(url: url),
            placeholder: nil,
            progress: { event in
                if case .progress(let progress) = event { received.append(progress.received) }
            },
            completed: nil
        )
        await harness.transport.waitForStarts(1)

        harness.transport.send(
            .head(TransferHead(status: 200, expectedByteCount: 1000)),
            to: url
        )
        for _ in 0..<1000 { harness.transport.send(.chunk([1]), to: url) }

        var waiting = 0
        for case .progressWaits(let id) in mailbox.takeAll() {
            waiting += 1
            post.take(bindingID: id).map(binding.accept)
        }
        #expect(waiting == 1)
        #expect(received == [1000])
        #expect(post.take(bindingID: 5)?.bindingID == nil)
        withExtendedLifetime(view) {}
    }
}
