import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

/// A list of URLs that a view shows as one animation.
struct AnimationImagesTests {
    private let harness = ManagerHarness()
    private let view = RecordingView()
    private let mail = Mail()
    private let requests = (1...3).map { ImageRequest(url: "http://a.example/\($0).png") }

    private func makeBinding() -> ImageBinding {
        let mail = mail
        return ImageBinding(id: 7, view: view, manager: harness.manager) { mail.post($0) }
    }

    /// Acts as the UI thread until the binding has no running load.
    private func settle(_ binding: ImageBinding) async {
        while binding.isLoading {
            await mail.wait()
            mail.takeAll().forEach(binding.accept)
        }
    }

    /// Answers with an image of 4 x 1 pixels, whose color is the number in the URL.
    private func answer(_ request: ImageRequest, size: (Int, Int) = (4, 1)) {
        let number = UInt8(request.url.dropLast(4).suffix(1)) ?? 0
        let size = PixelSize(width: size.0, height: size.1)
        let pixel: [UInt8] = [number, number, number, 255]
        let pixels = PixelBuffer(
            size: size,
            bytes: (0..<size.pixelCount).flatMap { _ in pixel },
            hasAlpha: false
        )
        let body = (try? PNGEncoder.encode(pixels)) ?? []
        harness.transport.respond(to: request.url, chunks: [body])
    }

    private func miss(_ request: ImageRequest) {
        harness.transport.respond(to: request.url, status: 404, chunks: [[1]])
    }

    private func frames(_ image: DecodedImage?) -> [UInt8] {
        image?.animation?.frames.map { $0.pixels.bytes[0] } ?? []
    }

    @Test func `V18: a list of images becomes an animation in the order of the list`() async throws
    {
        let binding = makeBinding()
        var ends: [Result<DecodedImage, ImageLoadingError>] = []
        binding.setAnimationImages(
            with: requests,
            frameDuration: .milliseconds(40),
            placeholder: .blank(width: 3)
        ) { ends.append($0) }
        await harness.transport.waitForStarts(3)

        for request in requests.reversed() { answer(request) }
        await settle(binding)

        let image = try #require(ends.first).get()
        #expect(ends.count == 1)
        #expect(view.shown.count == 2 && view.shown[0]?.pixels.size.width == 3)
        #expect(view.shown[1] == image)
        #expect(frames(image) == [1, 2, 3])
        #expect(image.pixels == image.animation?.frames[0].pixels)
        #expect(image.animation?.duration == .milliseconds(120))
        #expect(image.properties.frameCount == 3)
        #expect(binding.request == nil)
    }

    @Test func `V18: images that fail or have another size are left out`() async {
        let binding = makeBinding()
        let list = requests + [ImageRequest(url: "http://a.example/4.png")]
        binding.setAnimationImages(with: list)
        await harness.transport.waitForStarts(4)

        miss(list[0])
        answer(list[1])
        answer(list[2], size: (2, 2))
        answer(list[3])
        await settle(binding)

        #expect(frames(view.shown.last ?? nil) == [2, 4])
    }

    @Test func `V18: if every image fails, the view stays and the first error is reported`() async {
        let binding = makeBinding()
        var errors: [ImageLoadingError?] = []
        binding.setAnimationImages(with: requests) { errors.append($0.failure) }
        await harness.transport.waitForStarts(3)

        for request in requests { miss(request) }
        await settle(binding)

        #expect(errors.count == 1 && errors[0]?.stage == .download)
        #expect(view.shown.count == 1)
    }

    // K7
    @Test func `V2, V18: the next image cancels all loads of the animation`() async {
        let binding = makeBinding()
        var errors: [ImageLoadingError?] = []
        binding.setAnimationImages(with: requests) { errors.append($0.failure) }
        await harness.transport.waitForStarts(3)

        binding.setImage(with: "http://a.example/9.png")
        let atOnce = errors
        await harness.transport.waitForCancels(3)
        await harness.transport.waitForStarts(4)
        harness.transport.respond(
            to: "http://a.example/9.png",
            chunks: [PatternDecoder.bytes(width: 9, height: 1)]
        )
        await settle(binding)

        #expect(atOnce == [.cancelled] && errors == atOnce)
        #expect(Set(harness.transport.record.cancelledURLs) == Set(requests.map(\.url)))
        #expect(view.shown.last??.pixels.size.width == 9)
    }

    @Test func `V18: an animation cancels the image that is being loaded`() async {
        let binding = makeBinding()
        var errors: [ImageLoadingError?] = []
        binding.setImage(with: "http://a.example/9.png") { result, _ in
            errors.append(result.failure)
        }
        await harness.transport.waitForStarts(1)

        binding.setAnimationImages(with: requests)
        await harness.transport.waitForStarts(4)
        for request in requests { answer(request) }
        await settle(binding)

        #expect(errors == [.cancelled])
        #expect(frames(view.shown.last ?? nil) == [1, 2, 3])
    }

    @Test func `V17, V18: a repeated list joins the running group`() async {
        let binding = makeBinding()
        var ends = 0
        binding.setAnimationImages(with: requests) { _ in ends += 1 }
        await harness.transport.waitForStarts(3)

        binding.setAnimationImages(with: requests) { _ in ends += 1 }
        for request in requests { answer(request) }
        await settle(binding)

        #expect(ends == 2)
        #expect(harness.manager.statistics.started == 3)
        #expect(harness.transport.record.cancelledURLs == [])
    }

    @Test func `V18: images in memory are shown before the method returns`() async {
        let binding = makeBinding()
        binding.setAnimationImages(with: requests)
        await harness.transport.waitForStarts(3)
        for request in requests { answer(request) }
        await settle(binding)

        let (view, mail) = (RecordingView(), mail)
        let other = ImageBinding(id: 8, view: view, manager: harness.manager) { mail.post($0) }
        other.setAnimationImages(with: requests)

        #expect(!other.isLoading)
        #expect(frames(view.shown.last ?? nil) == [1, 2, 3])
    }

    @Test func `V6, V18: an empty list shows the placeholder and ends with an error`() {
        let binding = makeBinding()
        var errors: [ImageLoadingError?] = []

        binding.setAnimationImages(with: [], placeholder: .blank(width: 3)) {
            errors.append($0.failure)
        }

        #expect(view.shown.map { $0?.pixels.size.width } == [3])
        #expect(errors.count == 1 && errors[0]?.stage == .request)
        #expect(!binding.isLoading)
    }
}
