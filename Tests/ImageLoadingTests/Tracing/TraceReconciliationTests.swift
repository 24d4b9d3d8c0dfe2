import Foundation
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The lines of a run add up to what happened.
@Suite struct TraceReconciliationTests {
    private let path = NSTemporaryDirectory() + "trace-\(UUID().uuidString)"

    private func totals(of writer: TraceWriter) throws -> TraceTotals {
        defer { try? FileManager.default.removeItem(atPath: path) }
        writer.finish()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try TraceTotals(text.split(separator: "\n"))
    }

    /// Returns the events of a transfer of 1000 bytes that ends after `received` bytes.
    private func transfer(of received: Int) -> [TraceEvent.Kind] {
        let head: [TraceEvent.Kind] = [
            .queued(.normal), .started(resumedFrom: 0), .firstByte(status: 200, expected: 1000),
        ]
        let body = stride(from: 100, through: received, by: 100).map {
            TraceEvent.Kind.progress(LoadProgress(received: $0, expected: 1000))
        }
        let end: [TraceEvent.Kind] =
            received == 1000
            ? [.stored(.disk, byteCount: 1000), .succeeded(.network)]
            : [.cancelled(savedByteCount: 1000 - received)]
        return head + body + end
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `received and saved bytes add up to the announced ones, and each start has an end`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let writer = try TraceWriter(path: path)
        var waiting = (0..<50).map { number in
            (url: "u\(number)", kinds: transfer(of: 100 * (number % 11))[...])
        }
        // Interleaved, as six transfers at once are.
        while let index = waiting.indices.randomElement(using: &generator) {
            guard let kind = waiting[index].kinds.popFirst() else {
                waiting.remove(at: index)
                continue
            }
            writer.record(TraceEvent(time: .zero, subject: waiting[index].url, kind: kind))
        }

        let totals = try totals(of: writer)

        #expect(totals.started == 50 && totals.ended == 50, "seed \(seed)")
        #expect(totals.announced == 50_000, "seed \(seed)")
        #expect(totals.received + totals.saved == totals.announced, "seed \(seed)")
        #expect(totals.loads == ["succeeded": 4], "seed \(seed)")
    }
}
