import Decoders
@testable import ImageLoading
import ImageLoadingTesting

/// The UI thread's side of a screen of cells: their bindings, and the events in transit to them.
///
/// The image of URL n is n pixels wide, so that a cell can identify the received image.
final class BindingScreen {
    static let urlCount = 6

    let harness = ManagerHarness()
    private(set) var wrongPictures: [String] = []
    /// The number of calls to `setImage`, and the number of those that were completed.
    private(set) var callCount = 0
    private(set) var endCount = 0
    private let mail = Mail()
    private var views: [RecordingView] = []
    private var bindings: [ImageBinding] = []

    init(cellCount: Int) {
        let mail = mail
        for id in 0..<cellCount {
            let view = RecordingView()
            views.append(view)
            bindings.append(
                ImageBinding(id: id, view: view, manager: harness.manager) { mail.post($0) }
            )
        }
    }

    /// Performs one random action.
    func step(_ random: inout SeededGenerator) async {
        let binding = bindings[Int.random(in: bindings.indices, using: &random)]
        let number = Int.random(in: 1...Self.urlCount, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: ask(binding, for: number, retrying: Bool.random(using: &random))
        case 5: binding.cancel()
        case 6: answer(number)
        case 7: fail(number)
        case 8: harness.manager.clearMemory()
        default: await Task.yield()
        }
        readMail()
    }

    /// Answers all current and future requests until all cells are idle.
    func settle() async {
        harness.transport.answerStarts { request in
            let digit = request.url.dropLast(4).last.flatMap { UInt8(String($0)) } ?? 1
            return .body(PatternDecoder.bytes(width: digit, height: 1))
        }
        for number in 1...Self.urlCount { answer(number) }
        while bindings.contains(where: \.isLoading) {
            await mail.wait()
            readMail()
        }
        while harness.manager.isRunning || harness.manager.statistics.liveTransfers > 0 {
            await Task.yield()
        }
        // A cancellation is counted when it is decided, but another thread may not have told the
        // transport yet.
        await harness.manager.engine.downloader.settle()
    }

    private func ask(_ binding: ImageBinding, for number: Int, retrying: Bool) {
        let request = ImageRequest(url: url(number), options: retrying ? .retryFailed : [])
        callCount += 1
        binding.setImage(with: request) { [weak self] result, asked in
            self?.endCount += 1
            guard let self, case .success(let response) = result else { return }
            let width = response.image.pixels.size.width
            if asked?.url != url(width) || binding.request?.url != asked?.url {
                wrongPictures.append("\(asked?.url ?? "") got picture \(width)")
            }
        }
    }

    private func answer(_ number: Int) {
        let bytes = PatternDecoder.bytes(width: UInt8(number), height: 1)
        harness.transport.respond(to: url(number), chunks: [bytes])
    }

    private func fail(_ number: Int) {
        let error = ImageLoadingError(
            stage: .download,
            kind: .transient,
            reason: .transport(TransferFailure(.connectionLost, text: "reset"))
        )
        harness.transport.fail(url(number), with: error)
    }

    private func readMail() {
        for delivery in mail.takeAll() { bindings[delivery.bindingID].accept(delivery) }
    }

    private func url(_ number: Int) -> String { "http://a.example/\(number).png" }
}
