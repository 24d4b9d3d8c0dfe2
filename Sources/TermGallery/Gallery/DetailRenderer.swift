import Decoders
import GalleryCore
import ImageLoading
import SystemSupport
import TerminalUI

/// Renders the image of the image view on a separate thread.
///
/// Rendering 12 megapixels on the UI thread would delay key presses. If the user zooms again while
/// an image is being rendered, the new job replaces the waiting job.
final class DetailRenderer: Sendable {
    private struct Job: Sendable {
        let pixels: PixelBuffer
        let viewport: DetailViewport
        let capabilities: ScreenCapabilities
    }

    private let pool = WorkerPool(name: "detail", threadCount: 1, niceness: 10)
    private let newest = Protected<Job?>(nil)
    private let mailbox: Mailbox<GalleryMail>

    init(mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
    }

    /// Renders `pixels` in `viewport` on the renderer's thread, and posts the terminal cells.
    ///
    /// This method may be called on any thread.
    func render(
        _ pixels: PixelBuffer,
        viewport: DetailViewport,
        capabilities: ScreenCapabilities
    ) {
        let job = Job(pixels: pixels, viewport: viewport, capabilities: capabilities)
        newest.withLock { $0 = job }
        pool.submit(priority: .high) { [newest, mailbox] in
            let job = newest.withLock { newest in
                defer { newest = nil }
                return newest
            }
            guard let job else { return }
            let image = CellImage(
                job.pixels,
                viewport: job.viewport,
                capabilities: job.capabilities
            )
            mailbox.post(.detailRendered(image, job.viewport))
        }
    }
}
