import Foundation
import ImageLoading
import ImageLoadingTesting
import SystemSupport
import Testing

/// The code of the article "Getting started" about views; `make lint` compares it with this file.
@Suite struct GettingStartedViewTests {
    private static let size = PixelSize(width: 640, height: 480)

    private func server() throws -> LoopbackServer {
        let pixels = PixelBuffer(
            size: Self.size,
            bytes: [UInt8](repeating: 128, count: Self.size.pixelCount * 4),
            hasAlpha: false
        )
        return LoopbackServer(["/1.png": LoopbackServer.Step.answer(try PNGEncoder.encode(pixels))])
    }

    @MainActor
    @Test func `a cell shows the image it was last asked for`() async throws {
        let server = try server()
        let cell = Cell(manager: ImageManager(configuration: inMemory))

        await withCheckedContinuation { continuation in
            cell.show(server.url("/1.png")) { _ in continuation.resume() }
        }

        #expect(cell.view.picture?.pixels.size == Self.size)
    }

    @Test func `a view of an actor shows its image`() async throws {
        let server = try server()
        let manager = ImageManager(configuration: inMemory)

        let image = await Canvas().show(server.url("/1.png"), manager: manager)

        #expect(image?.pixels.size == Self.size)
    }

    @Test func `the views of a plain class show their images`() async throws {
        let server = try server()
        let urls = [server.url("/1.png"), server.url("/missing.png"), server.url("/1.png")]
        let configuration = inMemory

        let sizes = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let manager = ImageManager(configuration: configuration)
                let window = Window(cellCount: 3, manager: manager, loop: EventLoop())
                window.show(urls)
                continuation.resume(returning: window.sizes)
            }
        }

        #expect(sizes == [Self.size, nil, Self.size])
    }

    private var inMemory: ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        return configuration
    }
}

private final class PictureView: ImageDisplaying {
    private(set) var picture: DecodedImage?

    func display(_ image: DecodedImage?) {
        picture = image
    }
}

@MainActor
private final class Cell {
    let view = PictureView()
    private let binding: ImageBinding

    init(manager: ImageManager) {
        binding = ImageBinding(for: view, manager: manager)
    }

    func show(_ url: String, completed: @escaping (ImageLoadingError?) -> Void) {
        binding.setImage(with: ImageRequest(url)) { result, _ in
            switch result {
            case .success: completed(nil)
            case .failure(let error): completed(error)
            }
        }
    }
}

private actor Canvas {
    private let view = PictureView()
    private var binding: ImageBinding?

    func show(_ url: String, manager: ImageManager) async -> DecodedImage? {
        let (deliveries, mail) = AsyncStream.makeStream(of: ImageDelivery.self)
        let binding = ImageBinding(id: 0, view: view, manager: manager) { mail.yield($0) }
        self.binding = binding
        binding.setImage(with: ImageRequest(url)) { _, _ in mail.finish() }
        for await delivery in deliveries { binding.accept(delivery) }
        return view.picture
    }
}

private final class Window {
    private let loop: EventLoop
    private let views: [PictureView]
    private var bindings: [ImageBinding] = []

    init(cellCount: Int, manager: ImageManager, loop: EventLoop) {
        self.loop = loop
        views = (0..<cellCount).map { _ in PictureView() }
        bindings = views.enumerated().map { id, view in
            ImageBinding(id: id, view: view, manager: manager) { loop.post($0) }
        }
    }

    func show(_ urls: [String]) {
        for (binding, url) in zip(bindings, urls) { binding.setImage(with: ImageRequest(url)) }
        while bindings.contains(where: \.isLoading) {
            let delivery = loop.next()
            bindings[delivery.bindingID].accept(delivery)
        }
    }
}

extension Window {
    fileprivate var sizes: [PixelSize?] { views.map { $0.picture?.pixels.size } }
}

/// The event loop of a program, as short as possible.
private final class EventLoop: Sendable {
    private let waiting = Protected<[ImageDelivery]>([])
    private let count = DispatchSemaphore(value: 0)

    func post(_ delivery: ImageDelivery) {
        waiting.withLock { $0.append(delivery) }
        count.signal()
    }

    /// Blocks until an event arrives.
    func next() -> ImageDelivery {
        count.wait()
        return waiting.withLock { $0.removeFirst() }
    }
}
