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

    /// Acts as the UI thread until the binding has no running load.
    private func settle(_ binding: ImageBinding) async {
        while binding.isLoading {
            await mail.wait()
            mail.takeAll().forEach(binding.accept)
        }
    }

    private func widths() -> [Int?] { view.shown.map { $0?.pixels.size.width } }

    @Test func `V9, V12, V13, V16: the image is set and the completion gets its request`()
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
    @Test func `a result that is already posted never reaches a reused cell`() async {
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

        binding.setImage(with: nil, placeholder: .blank(width: 3)) { result, _ in
            errors.append(result.failure)
        }
        await harness.transport.waitForCancels(1)

        #expect(binding.request == nil)
        #expect(widths().last == 3)
        #expect(errors.count == 1)
    }

    @Test func `V4: the placeholder is shown immediately`() {
        let binding = makeBinding()

        binding.setImage(with: first, placeholder: .blank(width: 3))

        #expect(widths() == [3])
    }

    @Test func `F28, F23: a memory hit shows no placeholder and leaves nothing in the table`() async
    {
        harness.answerEverything()
        _ = await harness.load(first.url).result()
        let binding = makeBinding()

        binding.setImage(with: first, placeholder: .blank(width: 3))

        #expect(widths() == [2])
        #expect(!binding.isLoading)
    }

    // delayPlaceholder
    @Test func `V5: a delayed placeholder is shown only if there is no image`() async {
        var delayed = first
        delayed.options = .delayPlaceholder
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let binding = makeBinding()

        binding.setImage(with: delayed, placeholder: .blank(width: 3))
        let before = widths()
        await settle(binding)

        #expect(before == [])
        #expect(widths() == [3])
    }

    @Test func `V15: an error leaves the view as it is`() async {
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let binding = makeBinding()

        binding.setImage(with: first, placeholder: .blank(width: 3))
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

    @Test func `V8: after the view is released, nothing is called`() async {
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

    @Test(arguments: [false, true])
    func `a failure shows the failure image, a cancelled load does not`(isCancelled: Bool) async {
        let binding = makeBinding()
        if !isCancelled { harness.transport.answerStarts { _ in .body([1], status: 404) } }

        binding.setImage(
            with: first,
            placeholder: .blank(width: 3),
            failureImage: .blank(width: 4)
        )
        if isCancelled { harness.manager.cancelAll() }
        await settle(binding)

        #expect(widths() == (isCancelled ? [3] : [3, 4]))
    }

    @Test func `the failure image replaces a delayed placeholder`() async {
        var delayed = first
        delayed.options = .delayPlaceholder
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let binding = makeBinding()

        binding.setImage(with: delayed, placeholder: .blank(width: 3))
        binding.setImage(with: delayed, failureImage: .blank(width: 4))
        await settle(binding)

        #expect(widths() == [4])
    }

    @Test func `K8: a released binding cancels its load`() async {
        var binding: ImageBinding? = makeBinding()
        binding?.setImage(with: first)
        await harness.transport.waitForStarts(1)

        binding = nil
        await harness.transport.waitForCancels(1)

        #expect(!harness.manager.isRunning)
    }

    @Test func `a completion may ask for the next image`() async {
        harness.answerEverything()
        let binding = makeBinding()
        binding.setImage(with: first) { [second] _, _ in binding.setImage(with: second) }

        await settle(binding)

        #expect(binding.request == second)
        #expect(harness.manager.statistics.succeeded == 2)
    }
}
