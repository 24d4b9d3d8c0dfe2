import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Images that a binding receives before the final one.
struct ProvisionalPictureTests {
    private let harness = ManagerHarness()
    private let view = RecordingView()
    private let mail = Mail()
    private let url = "http://a.example/1.png"

    private func makeBinding() -> ImageBinding {
        let mail = mail
        return ImageBinding(id: 1, view: view, manager: harness.manager) { mail.post($0) }
    }

    private func settle(_ binding: ImageBinding) async {
        while binding.isLoading {
            await mail.wait()
            mail.takeAll().forEach(binding.accept)
        }
    }

    private var widths: [Int?] { view.shown.map { $0?.pixels.size.width } }

    /// Returns a request to refresh an image that is in memory and has changed on the server.
    private func refreshing(_ options: LoadingOptions) async -> ImageRequest {
        harness.answerEverything()
        _ = await harness.load(url).result()
        harness.transport.answerStarts { _ in .body(PatternDecoder.bytes(width: 5, height: 1)) }
        return ImageRequest(url: url, options: options.union(.refreshCached))
    }

    // M15, V4, V19
    @Test func `an image that is refreshed replaces the placeholder immediately`() async {
        let request = await refreshing([])
        let binding = makeBinding()

        binding.setImage(with: request)
        let atOnce = widths
        await settle(binding)

        #expect(atOnce == [2])
        #expect(widths.last == 5)
        #expect(!widths.contains(nil))
    }

    // V12, V13
    @Test func `a provisional image is set, reported as progress, and completes nothing`() async {
        let request = await refreshing([])
        let binding = makeBinding()
        var (told, completions) = ([Int](), [Int]())

        binding.setImage(
            with: request,
            placeholder: nil,
            progress: { event in
                if case .preview(let response) = event {
                    told.append(response.image.pixels.size.width)
                }
            },
            completed: { result, _ in
                completions.append(result.success?.image.pixels.size.width ?? 0)
            }
        )
        await settle(binding)

        #expect(told == [2])
        #expect(completions == [5])
    }

    // V10
    @Test func `with avoidAutoSetImage the completion gets each image, and nothing is set`() async {
        let request = await refreshing(.avoidAutoSetImage)
        let binding = makeBinding()
        var completions: [(Int?, Bool)] = []

        binding.setImage(with: request) { result, _ in
            completions.append((result.success?.image.pixels.size.width, binding.isLoading))
        }
        await settle(binding)

        #expect(completions.map(\.0) == [2, 5])
        #expect(completions.map(\.1) == [true, false])
        #expect(widths == [nil])
    }

    // V15, M19
    @Test func `a refresh that fails leaves the image on the view`() async {
        let request = await refreshing([])
        harness.transport.answerStarts { _ in .body([1], status: 404) }
        let binding = makeBinding()

        binding.setImage(with: request)
        await settle(binding)

        #expect(!widths.isEmpty)
        #expect(widths.allSatisfy { $0 == 2 })
    }
}
