import Decoders
@testable import Feeds
@testable import GalleryCore
import FeedHarness
import Glibc
@testable import ImageLoading
import ImageLoadingTesting
@testable import TermGallery
@testable import TerminalUI
import Testing

@Suite struct ProgressCoalescerTests {
    private final class View: ImageDisplaying {
        func display(_ image: DecodedImage?) {}
    }

    // M40
    @Test func `any amount of progress leaves one message for each binding`() async throws {
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
        // The thread that started the transfer may still be reporting it.
        await harness.manager.engine.downloader.settle()

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

@Suite struct DetailRendererTests {
    @Test func `the newest of many requests is drawn, and drawn last`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        let renderer = DetailRenderer(mailbox: mailbox)
        let size = PixelSize(width: 200, height: 100)
        let pixels = PixelBuffer(
            size: size,
            bytes: Array(repeating: 255, count: size.pixelCount * 4),
            hasAlpha: false
        )
        let box = ScreenSize(columns: 40, rows: 20)
        let viewports = (0..<50).map { DetailViewport(serial: $0, imageSize: size, box: box) }

        for viewport in viewports {
            renderer.render(
                pixels,
                viewport: viewport,
                capabilities: ScreenCapabilities(colorDepth: .trueColor, symbols: .ascii)
            )
        }

        let drawn = await blocking { Self.serials(in: mailbox, upTo: 49) }
        #expect(drawn.last == 49)
        #expect(drawn == drawn.sorted())
        #expect(Set(drawn).count == drawn.count)
    }

    private static func serials(in mailbox: Mailbox<GalleryMail>, upTo last: Int) -> [Int] {
        var serials: [Int] = []
        while serials.last != last {
            var source = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&source, 1, -1)
            for case .detailRendered(_, let viewport) in mailbox.takeAll() {
                serials.append(viewport.serial)
            }
        }
        return serials
    }
}
