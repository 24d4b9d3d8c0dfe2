import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

struct ImageBindingTests {
    private let harness = ManagerHarness()
    private let view = RecordingView()
    private let mail = Mail()
    private let first = ImageRequest(url: "http://a.example/1.png")
    private let second = ImageRequest(url: "http://a.example/2.png")

    private func makeBinding() -> ImageBinding {
        let mail = mail
        return ImageBinding(id: 7, view: view, manager: harness.manager) { mail.post($0) }
    }

    /// Plays the UI thread until the binding has nothing under way.
    private func settle(_ binding: ImageBinding) async {
        while binding.isLoading {
            await mail.wait()
            mail.takeAll().forEach(binding.accept)
        }
    }

    private func widths() -> [Int?] { view.shown.map { $0?.pixels.size.width } }

    private func picture(width: Int) -> DecodedImage {
        let size = PixelSize(width: width, height: 1)
        return DecodedImage(
            pixels: PixelBuffer(
                size: size,
                bytes: Array(repeating: 0, count: size.pixelCount * 4),
                hasAlpha: false
            ),
            properties: ImageProperties(
                format: .png,
                size: size,
                orientation: 1,
                hasAlpha: false,
                isProgressive: false
            )
        )
    }

    @Test func `V9, V12, V13, V16: the image is set and the completion gets the request asked for`()
        async
    {
        let binding = makeBinding()
        var completions: [ImageRequest?] = []
        harness.answerEverything()

        binding.setImage(with: first) { _, request in completions.append(request) }
        await settle(binding)

        #expect(widths() == [nil, 2])
        #expect(completions == [first])
        #expect(binding.request == first)
    }

    @Test func `V2: a second load cancels the first before it starts`() async {
        let binding = makeBinding()
        binding.setImage(with: first)
        await harness.transport.waitForStarts(1)

        binding.setImage(with: second)
        await harness.transport.waitForStarts(2)

        #expect(harness.transport.record.cancelledURLs == [first.url])
        #expect(harness.transport.runningURLs == [second.url])
    }

    // Open point l
    @Test func `T1: a result that is in the post already never reaches a reused cell`() async {
        let binding = makeBinding()
        binding.setImage(with: first)
        await harness.transport.waitForStarts(1)
        harness.transport.respond(
            to: first.url,
            chunks: [PatternDecoder.bytes(width: 9, height: 1)]
        )
        var late: [ImageDelivery] = []
        while !late.contains(where: \.isFinal) {
            await mail.wait()
            late += mail.takeAll()
        }

        binding.setImage(with: second)
        late.forEach(binding.accept)

        #expect(!widths().contains(9))
        #expect(binding.isLoading)
    }

    @Test func `V3, V6: a nil request cancels, shows the placeholder and completes with an error`()
        async
    {
        let binding = makeBinding()
        binding.setImage(with: first)
        await harness.transport.waitForStarts(1)
        var errors: [ImageLoadingError?] = []

        binding.setImage(with: nil, placeholder: picture(width: 3)) { result, _ in
            errors.append(result.failure)
        }
        await harness.transport.waitForCancels(1)

        #expect(binding.request == nil)
        #expect(widths().last == 3)
        #expect(errors.count == 1)
    }

    @Test func `V4: the placeholder is shown at once`() {
        let binding = makeBinding()

        binding.setImage(with: first, placeholder: picture(width: 3))

        #expect(widths() == [3])
    }

    @Test func `F28, F23: a memory hit shows no placeholder and leaves nothing in the table`() async
    {
        harness.answerEverything()
        _ = await harness.load(first.url).result()
        let binding = makeBinding()

        binding.setImage(with: first, placeholder: picture(width: 3))

        #expect(widths() == [2])
        #expect(!binding.isLoading)
    }

    // delayPlaceholder
    @Test func `V5: a delayed placeholder is shown only if there is no image`() async {
        var delayed = first
        delayed.options = .delayPlaceholder
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let binding = makeBinding()

        binding.setImage(with: delayed, placeholder: picture(width: 3))
        let before = widths()
        await settle(binding)

        #expect(before == [])
        #expect(widths() == [3])
    }

    @Test func `V15: an error leaves the view as it is`() async {
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let binding = makeBinding()

        binding.setImage(with: first, placeholder: picture(width: 3))
        await settle(binding)

        #expect(widths() == [3])
    }

    @Test func `V10: with avoidAutoSetImage the completion is called and nothing is set`() async {
        var manual = first
        manual.options = .avoidAutoSetImage
        harness.answerEverything()
        let binding = makeBinding()
        var count = 0

        binding.setImage(with: manual) { _, _ in count += 1 }
        await settle(binding)

        #expect(widths() == [nil])
        #expect(count == 1)
    }

    @Test func `V11: with avoidAutoSetImage but no completion the image is set`() async {
        var manual = first
        manual.options = .avoidAutoSetImage
        harness.answerEverything()
        let binding = makeBinding()

        binding.setImage(with: manual)
        await settle(binding)

        #expect(widths() == [nil, 2])
    }

    @Test func `V8: when the view has gone, nothing is called`() async {
        var gone: RecordingView? = RecordingView()
        let mail = mail
        let binding = ImageBinding(
            id: 1,
            view: gone!,
            manager: harness.manager,
            deliver: { mail.post($0) }
        )
        var count = 0
        harness.answerEverything()
        binding.setImage(with: first) { _, _ in count += 1 }
        gone = nil

        await settle(binding)
        binding.setImage(with: second) { _, _ in count += 1 }
        binding.cancel()

        #expect(count == 0)
    }

    @Test func `V17: asking for what is being loaded starts nothing, and each call hears its end`()
        async
    {
        let binding = makeBinding()
        var ends: [String] = []
        binding.setImage(with: first, placeholder: picture(width: 3)) { result, _ in
            ends.append("one \(result.success != nil)")
        }
        await harness.transport.waitForStarts(1)

        binding.setImage(with: first, placeholder: picture(width: 4)) { result, _ in
            ends.append("two \(result.success != nil)")
        }
        harness.transport.respond(
            to: first.url,
            chunks: [PatternDecoder.bytes(width: 2, height: 1)]
        )
        await settle(binding)

        #expect(harness.transport.record.cancelledURLs == [])
        #expect(harness.manager.statistics.started == 1)
        #expect(ends == ["one true", "two true"])
        #expect(widths() == [3, 2])
    }

    @Test func `V17: each call for what is being loaded hears the progress from then on`() async {
        let binding = makeBinding()
        var heard: [String] = []
        binding.setImage(with: first, progress: { _ in heard.append("one") }, completed: nil)
        await harness.transport.waitForStarts(1)
        mail.takeAll().forEach(binding.accept)
        heard = []

        binding.setImage(with: first, progress: { _ in heard.append("two") }, completed: nil)
        harness.transport.respond(
            to: first.url,
            chunks: [PatternDecoder.bytes(width: 2, height: 1)]
        )
        await settle(binding)

        #expect(heard.filter { $0 == "one" }.count == heard.filter { $0 == "two" }.count)
        #expect(heard.prefix(2) == ["one", "two"])
    }

    @Test func `V2, V13: the calls of a replaced load hear once that it was cancelled`() async {
        let binding = makeBinding()
        var ends: [String] = []
        let note = { (name: String) -> ImageBinding.Completion in
            { result, request in
                let end = result.failure.map { "\($0)" } ?? "a picture"
                ends.append("\(name): \(end) of \(request?.url.suffix(5) ?? "nothing")")
            }
        }
        harness.transport.answerStarts { request in
            request.url.hasSuffix("2.png") ? .body(PatternDecoder.bytes(width: 2, height: 1)) : nil
        }
        binding.setImage(with: first, completed: note("one"))
        binding.setImage(with: first, completed: note("two"))

        binding.setImage(with: second, completed: note("three"))
        let atOnce = ends
        await settle(binding)

        #expect(atOnce == ["one: cancelled of 1.png", "two: cancelled of 1.png"])
        #expect(ends == atOnce + ["three: a picture of 2.png"])
    }

    @Test func `F4: cancelling a binding tells each pending completion once`() {
        let binding = makeBinding()
        var errors: [ImageLoadingError?] = []
        binding.setImage(with: first) { result, _ in errors.append(result.failure) }
        binding.setImage(with: first) { result, _ in errors.append(result.failure) }

        binding.cancel()
        binding.cancel()

        #expect(errors == [.cancelled, .cancelled])
        #expect(!binding.isLoading)
    }

    @Test func `a completion that hears of the cancelling may ask for something else`() async {
        harness.answerEverything()
        let binding = makeBinding()
        let third = ImageRequest(url: "http://a.example/3.png")
        var ends: [String] = []
        binding.setImage(with: first) { result, _ in
            ends.append("first \(result.failure == .cancelled)")
            binding.setImage(with: third) { result, _ in
                ends.append("third \(result.success != nil)")
            }
        }

        binding.setImage(with: second) { result, _ in
            ends.append("second \(result.failure == .cancelled)")
        }
        await settle(binding)

        #expect(ends == ["first true", "second true", "third true"])
        #expect(binding.request == third)
    }

    @Test(arguments: [false, true])
    func `a failure shows the failure image, a cancelled load does not`(isCancelled: Bool) async {
        let binding = makeBinding()
        if !isCancelled { harness.transport.answerStarts { _ in .body([1], status: 404) } }

        binding.setImage(
            with: first,
            placeholder: picture(width: 3),
            failureImage: picture(width: 4)
        )
        if isCancelled { harness.manager.cancelAll() }
        await settle(binding)

        #expect(widths() == (isCancelled ? [3] : [3, 4]))
    }

    @Test func `the failure image comes in place of a delayed placeholder`() async {
        var delayed = first
        delayed.options = .delayPlaceholder
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let binding = makeBinding()

        binding.setImage(with: delayed, placeholder: picture(width: 3))
        binding.setImage(with: delayed, failureImage: picture(width: 4))
        await settle(binding)

        #expect(widths() == [4])
    }

    @Test func `K8: a binding that goes takes its load with it`() async {
        var binding: ImageBinding? = makeBinding()
        binding?.setImage(with: first)
        await harness.transport.waitForStarts(1)

        binding = nil
        await harness.transport.waitForCancels(1)

        #expect(!harness.manager.isRunning)
    }

    @Test func `a completion may ask for the next picture`() async {
        harness.answerEverything()
        let binding = makeBinding()
        binding.setImage(with: first) { [second] _, _ in binding.setImage(with: second) }

        await settle(binding)

        #expect(binding.request == second)
        #expect(harness.manager.statistics.succeeded == 2)
    }
}
