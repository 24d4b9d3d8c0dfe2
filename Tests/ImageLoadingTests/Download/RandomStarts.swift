import ImageLoadingTesting

@testable import ImageLoading

/// Listeners of one URL who come and go around a transfer that starts, answers and is torn down;
/// the server is well (row F2).
struct RandomStarts {
    private static let url = "http://a/1"

    private var random: SeededGenerator
    private var queue = DownloadQueueHarness { $0.maximumConcurrentTransfers = 1 }
    private var staying: Set<ListenerID> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func fault() -> String? {
        for _ in 0..<12 { step() }
        while let id = queue.running.keys.first { answer(id) }
        for listener in staying where !queue.results[listener, default: []].isOneSuccess {
            return "\(listener) stayed and got \(queue.results[listener] ?? [])"
        }
        return queue.strayCancelCount == 0 ? nil : "a transfer was cancelled that did not run"
    }

    private mutating func step() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3:
            staying.insert(queue.enqueue(Self.url))
        case 3..<6:
            let listeners = staying.sorted { $0.rawValue < $1.rawValue }
            guard let listener = listeners.randomElement(using: &random),
                queue.results[listener] == nil
            else { return }
            staying.remove(listener)
            queue.leave(listener)
        case 6:
            guard let id = queue.running.keys.first else { return }
            queue.send(.head(TransferHead(status: 200, expectedByteCount: 3)), to: id)
        default:
            if let id = queue.running.keys.first { answer(id) }
        }
    }

    private mutating func answer(_ id: TransferID) {
        queue.send(.head(TransferHead(status: 200, expectedByteCount: 3)), to: id)
        queue.send(.chunk([1, 2, 3]), to: id)
        queue.send(.finished(nil), to: id)
    }
}

extension [Result<DownloadedBody, ImageLoadingError>] {
    fileprivate var isOneSuccess: Bool {
        guard count == 1, case .success(let body) = self[0] else { return false }
        return body.bytes == [1, 2, 3]
    }
}
