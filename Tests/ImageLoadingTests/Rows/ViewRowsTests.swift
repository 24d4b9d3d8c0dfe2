import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

/// The short forms of a binding's methods, and the objects that may own an operation table.
struct ViewRowsTests {
    private let harness = ManagerHarness()
    private let request = ImageRequest(url: "http://a.example/1.png")

    private func binding(_ view: RecordingView, _ mail: Mail) -> ImageBinding {
        ImageBinding(id: 1, view: view, manager: harness.manager) { mail.post($0) }
    }

    // V1
    @Test(arguments: 0..<3)
    func `each short form equals the full one without the missing arguments`(
        form: Int
    ) async {
        harness.answerEverything()
        let (view, mail) = (RecordingView(), Mail())
        let binding = binding(view, mail)

        switch form {
        case 0: binding.setImage(with: request)
        case 1: binding.setImage(with: request, placeholder: nil)
        default: binding.setImage(with: request, placeholder: nil, progress: nil, completed: nil)
        }
        while binding.isLoading {
            await mail.wait()
            mail.takeAll().forEach(binding.accept)
        }

        #expect(view.shown.map { $0?.pixels.size.width } == [nil, 2])
    }

    // V14, F23
    @Test func `a load is retained from its start to its end`() async {
        let (view, mail) = (RecordingView(), Mail())
        let binding = binding(view, mail)

        binding.setImage(with: request)
        let isKept = binding.isLoading
        await harness.transport.waitForStarts(1)
        harness.transport.respond(
            to: request.url,
            chunks: [PatternDecoder.bytes(width: 1, height: 1)]
        )
        while binding.isLoading {
            await mail.wait()
            mail.takeAll().forEach(binding.accept)
        }
        binding.cancel()

        #expect(isKept)
        #expect(view.shown.last??.pixels.size.width == 1)
        #expect(harness.manager.statistics.cancelled == 0)
    }

    // Otherwise, a growing window would look like a scrolling user.
    @Test func `a load whose view wants the same image larger is replaced, not abandoned`() {
        let (view, mail) = (RecordingView(), Mail())
        let binding = binding(view, mail)
        var larger = request
        larger.targetSize = PixelSize(width: 400, height: 400)
        var other = request
        other.url = "http://a.example/other"

        binding.setImage(with: request)
        binding.setImage(with: larger)
        binding.setImage(with: other)

        let counted = harness.manager.statistics
        #expect((counted.cancelled, counted.replaced) == (2, 1))
    }

    // K1
    @Test func `any object may own a table, and tables do not touch one another`() {
        final class Anything {
            let operations = OperationTable()
        }
        let (one, other) = (Anything(), Anything())
        let (first, second) = (
            harness.load("http://a.example/1"), harness.load("http://a.example/2")
        )
        one.operations.set(first.operation, for: .image)
        other.operations.set(second.operation, for: .image)

        one.operations.cancelAll()

        #expect(first.operation.isFinished && !second.operation.isFinished)
        #expect(Anything().operations.operations(for: .image).isEmpty)
    }
}
