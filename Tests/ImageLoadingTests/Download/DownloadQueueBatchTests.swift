import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Several events of a transfer that are received at once.
@Suite struct DownloadQueueBatchTests {
    let url = "http://a/1"
    var queue = DownloadQueueHarness { $0.maximumAttempts = 1 }

    private static func head(_ status: Int = 200, byteCount: Int?) -> TransferEvent {
        .head(TransferHead(status: status, expectedByteCount: byteCount))
    }

    private func progress(of listener: ListenerID) -> [Int] {
        (queue.events[listener] ?? []).compactMap { event in
            if case .progress(let progress) = event { progress.received } else { nil }
        }
    }

    @Test mutating func `a batch of chunks reports progress once`() {
        let listener = queue.enqueue(url)
        let before = progress(of: listener).count

        queue.send([Self.head(byteCount: 6), .chunk([1, 2]), .chunk([3])], to: url)

        #expect(progress(of: listener).dropFirst(before) == [3])
        #expect(queue.result(of: listener) == nil)
    }

    @Test mutating func `a body in one batch is reported as complete before its end`() throws {
        let listener = queue.enqueue(url)
        let before = progress(of: listener).count

        queue.send([Self.head(byteCount: 3), .chunk([1, 2, 3]), .finished(nil)], to: url)

        #expect(progress(of: listener).dropFirst(before) == [3])
        #expect(try queue.result(of: listener)?.get().bytes == [1, 2, 3])
        #expect(queue.statistics.bytesReceived == 3)
    }

    // The preview of the received part stays in its cell.
    @Test
    mutating func `of a response that breaks off, listeners receive the progress, then the end`() {
        var request = DownloadRequest(url: url)
        request.reportsPartials = true
        let listener = queue.enqueue(request)

        let lost = ImageLoadingError.transfer(.connectionLost)
        queue.send([Self.head(byteCount: nil), .chunk([1, 2]), .finished(lost)], to: url)

        let partials = (queue.events[listener] ?? []).compactMap { event in
            if case .partial(let bytes, _) = event { bytes } else { nil }
        }
        #expect(partials == [[1, 2]])
        #expect(queue.error(of: listener) == lost)
    }

    @Test mutating func `an answer that is useless and long is stopped once`() {
        let listener = queue.enqueue(url)

        let long = Array(repeating: UInt8(1), count: Reception.unwantedByteLimit)
        queue.send([Self.head(404, byteCount: 1 << 20), .chunk(long), .chunk(long)], to: url)

        #expect(queue.error(of: listener)?.reason == .httpStatus(404))
        #expect(queue.cancelledURLs == [url] && queue.strayCancelCount == 0)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    mutating func `the result is the same for any grouping of events`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let events = Self.answer(using: &random)
        var single = queue
        let (one, other) = (queue.enqueue(url), single.enqueue(url))

        for event in events { single.send(event, to: url) }
        var rest = events[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...rest.count, using: &random)
            queue.send(Array(rest.prefix(count)), to: url)
            rest = rest.dropFirst(count)
        }

        #expect(queue.result(of: one) == single.result(of: other))
        #expect(queue.results[one]?.count == single.results[other]?.count)
        #expect(queue.statistics == single.statistics)
        #expect(queue.cancelledURLs == single.cancelledURLs)
        #expect(progress(of: one).last ?? 0 <= events.byteCount)
    }

    /// Returns a successful or failed response, complete or truncated.
    private static func answer(using random: inout SeededGenerator) -> [TransferEvent] {
        let chunks = (0..<Int.random(in: 0...5, using: &random)).map { number in
            Array(repeating: UInt8(number), count: Int.random(in: 1...9, using: &random))
        }
        let total = chunks.reduce(0) { $0 + $1.count }
        let status = [200, 200, 404, 503].randomElement(using: &random) ?? 200
        let announced = Bool.random(using: &random) ? total : nil
        let end: [TransferEvent] =
            [
                [.finished(nil)], [.finished(.transfer(.connectionLost))], [],
            ].randomElement(using: &random) ?? []
        return [head(status, byteCount: announced)] + chunks.map { .chunk($0) } + end
    }
}

extension [TransferEvent] {
    fileprivate var byteCount: Int {
        reduce(0) { sum, event in
            if case .chunk(let bytes) = event { sum + bytes.count } else { sum }
        }
    }
}
