import Decoders
import GalleryCore
import ImageLoading

/// Makes the detail view's art on a thread of its own: drawing 12 megapixels takes longer than a
/// key press may.
///
/// Only the newest wish counts: while one is being drawn, zooming on replaces the one that waits.
final class DetailArtist: Sendable {
    private struct Wish: Sendable {
        let pixels: PixelBuffer
        let viewport: DetailViewport
        let capabilities: ScreenCapabilities
    }

    private let pool = WorkerPool(name: "detail-art", threadCount: 1, niceness: 10)
    private let newest = Protected<Wish?>(nil)
    private let mailbox: Mailbox<GalleryMail>

    init(mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
    }

    /// Draws `viewport` soon and posts the art; callable on any thread.
    func render(
        _ pixels: PixelBuffer,
        _ viewport: DetailViewport,
        _ capabilities: ScreenCapabilities
    ) {
        let wish = Wish(pixels: pixels, viewport: viewport, capabilities: capabilities)
        newest.withLock { $0 = wish }
        pool.submit(priority: .high) { [newest, mailbox] in
            let wish = newest.withLock { newest in
                defer { newest = nil }
                return newest
            }
            guard let wish else { return }
            let art = DetailArt.render(
                wish.pixels,
                viewport: wish.viewport,
                capabilities: wish.capabilities
            )
            mailbox.post(.art(art, wish.viewport))
        }
    }
}
