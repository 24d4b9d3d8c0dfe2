import Decoders
import ImageLoadingTesting
import SystemSupport

@testable import ImageLoading

/// Three cells of a simulated engine, and random actions on them.
final class RandomLoads {
    private static let urlCount = 4

    /// A description of a wrong image that a cell has shown; nil if all images were correct.
    private(set) var fault: String?
    private let engine: PaperEngine
    private let mail = Protected<[ImageDelivery]>([])
    private var cells: [Cell] = []
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        engine = PaperEngine(seed: seed)
        let (engine, mail) = (engine, mail)
        for id in 0..<3 {
            let view = WidthView()
            let binding = ImageBinding(
                id: id,
                view: view,
                begin: { engine.begin($0, $1) },
                deliver: { delivery in mail.withLock { $0.append(delivery) } }
            )
            cells.append(Cell(binding: binding, view: view))
        }
    }

    /// Runs a sequence of random steps, and then ends everything; returns what was wrong, or nil.
    func runSequence() -> String? {
        for _ in 0..<Int.random(in: 1...8, using: &random) { step() }
        settle()
        return fault ?? engine.fault
    }

    private func step() {
        let cell = cells[Int.random(in: cells.indices, using: &random)]
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<7: ask(cell)
        case 7: cell.binding.cancel()
        case 8: engine.clear()
        case 9: engine.cancelAll()
        case 10..<12: engine.answer(isGood: true, &random)
        case 12: engine.answer(isGood: false, &random)
        case 13: engine.pass(.seconds(Int.random(in: 1...30, using: &random)))
        // Deliveries may be read late.
        default: readMail()
        }
        check()
    }

    private func ask(_ cell: Cell) {
        let options: [LoadingOptions] = [[], [], .refreshCached, .lowPriority, .retryFailed]
        let request = ImageRequest(
            url: PaperEngine.url(Int.random(in: 1...Self.urlCount, using: &random)),
            options: options.randomElement(using: &random) ?? []
        )
        if !(cell.binding.isLoading && cell.binding.request == request) {
            cell.requestNumber += 1
            cell.view.width = nil
        }
        let (requestNumber, call) = (cell.requestNumber, cell.callCount)
        cell.callCount += 1
        cell.binding.setImage(with: request) { [weak self, weak cell] result, asked in
            guard let self, let cell else { return }
            if cell.requestNumber != requestNumber, result.failure != .cancelled {
                fault = "a result of an earlier request"
            }
            if !cell.completed.insert(call).inserted { fault = "two completions of one call" }
            if asked != request { fault = "another call's request" }
            let width = result.success?.image.pixels.size.width
            if let width, asked?.url != PaperEngine.url(width) { fault = "another's picture" }
        }
    }

    private func readMail() {
        let deliveries = mail.withLock { mail in
            defer { mail = [] }
            return mail
        }
        for delivery in deliveries { cells[delivery.bindingID].binding.accept(delivery) }
    }

    /// Checks that no cell shows an image other than the last one requested for it.
    private func check() {
        for cell in cells {
            guard let width = cell.view.width, width > 0 else { continue }
            if cell.binding.request?.url != PaperEngine.url(width) { fault = "a stale picture" }
        }
    }

    private func settle() {
        readMail()
        while engine.answer(isGood: true, &random) { readMail() }
        readMail()
        check()
        if cells.contains(where: \.binding.isLoading) { fault = "a cell waits for ever" }
        if cells.contains(where: { $0.completed.count != $0.callCount }) {
            fault = "a call without its completion"
        }
    }
}

/// A binding, its view, and its last request.
private final class Cell {
    let binding: ImageBinding
    let view: WidthView
    var requestNumber = 0
    var callCount = 0
    /// The numbers of the calls that were completed.
    var completed: Set<Int> = []

    init(binding: ImageBinding, view: WidthView) {
        self.binding = binding
        self.view = view
    }
}

/// A view that records the width of the image it shows.
private final class WidthView: ImageDisplaying {
    var width: Int?

    func display(_ image: DecodedImage?) {
        width = image?.pixels.size.width
    }
}
