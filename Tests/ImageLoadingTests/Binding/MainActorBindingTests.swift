import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

/// A binding that needs neither an identifier nor a closure.
@MainActor
struct MainActorBindingTests {
    private let harness = ManagerHarness()
    private let view = RecordingView()
    private let url = "http://a.example/1.png"

    @Test func `a binding of the main actor shows its image without further code`() async {
        harness.answerEverything()
        let binding = ImageBinding(for: view, manager: harness.manager)

        let error = await withCheckedContinuation { continuation in
            binding.setImage(with: ImageRequest(url), placeholder: .blank(width: 3)) { result, _ in
                MainActor.assertIsolated()
                continuation.resume(returning: result.failure)
            }
        }

        #expect(error == nil)
        #expect(view.shown.map { $0?.pixels.size.width } == [3, 2])
    }

    @Test(.timeLimit(.minutes(5)))
    func `the load of a released binding is cancelled`() async {
        var binding: ImageBinding? = ImageBinding(for: view, manager: harness.manager)
        binding?.setImage(with: ImageRequest(url))
        await harness.transport.waitForStarts(1)

        binding = nil

        await harness.transport.waitForCancels(1)
        #expect(view.shown.count == 1)
    }
}
