import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

/// Calls to `setImage`, each of which is completed exactly once.
struct BindingCallTests {
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

    @Test func `V17: a repeated request starts nothing, and each call gets its end`()
        async
    {
        let binding = makeBinding()
        var ends: [String] = []
        binding.setImage(with: first, placeholder: .blank(width: 3)) { result, _ in
            ends.append("one \(result.success != nil)")
        }
        await harness.transport.waitForStarts(1)

        binding.setImage(with: first, placeholder: .blank(width: 4)) { result, _ in
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

    @Test func `V17: each repeated request gets the progress from then on`() async {
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

    @Test func `V2, V13: the calls of a replaced load receive cancelled once`() async {
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

    @Test func `F4: cancelling a binding completes each pending call once`() {
        let binding = makeBinding()
        var errors: [ImageLoadingError?] = []
        binding.setImage(with: first) { result, _ in errors.append(result.failure) }
        binding.setImage(with: first) { result, _ in errors.append(result.failure) }

        binding.cancel()
        binding.cancel()

        #expect(errors == [.cancelled, .cancelled])
        #expect(!binding.isLoading)
    }

    @Test func `a completion that receives cancelled may start another request`() async {
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
}
