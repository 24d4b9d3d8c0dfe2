import Decoders
import Glibc
import Testing

@testable import GalleryCore
@testable import TermGallery

@Suite struct DetailRendererTests {
    @Test func `of many requests the newest is drawn, and drawn last`() async throws {
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
                viewport,
                ScreenCapabilities(colorDepth: .trueColor, symbols: .ascii)
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
