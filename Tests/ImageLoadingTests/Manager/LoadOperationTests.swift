import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

struct LoadOperationTests {
    private let request = ImageRequest(url: "http://a.example/1.png")

    private func operation(
        _ onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        LoadOperation(request: request, onEvent: onEvent)
    }

    @Test func `F4: of two ends only one is delivered`() {
        let record = EventRecord()
        let operation = operation { record.add($0) }

        for _ in 0..<2 where operation.claimEnd() { operation.tell(.failure(.cancelled)) }

        #expect(record.endCount == 1)
        #expect(operation.isFinished)
    }

    @Test func `no event is delivered after the end`() {
        let record = EventRecord()
        let operation = operation { record.add($0) }
        #expect(operation.claimEnd())
        operation.tell(.failure(.cancelled))

        operation.send(.progress(LoadProgress(received: 1, expected: nil)))

        #expect(record.progress == [])
    }

    @Test func `an end that occurs while progress is delivered follows it, not inside it`() {
        let log = Protected<[String]>([])
        let cell = Protected<LoadOperation?>(nil)
        let operation = operation { event in
            guard case .progress = event else { return log.withLock { $0.append("end") } }
            log.withLock { $0.append("progress begins") }
            if let operation = cell.withLock({ $0 }), operation.claimEnd() {
                operation.tell(.failure(.cancelled))
            }
            log.withLock { $0.append("progress ends") }
        }
        cell.withLock { $0 = operation }

        operation.send(.progress(LoadProgress(received: 1, expected: nil)))

        #expect(log.withLock { $0 } == ["progress begins", "progress ends", "end"])
        cell.withLock { $0 = nil }
    }
}
