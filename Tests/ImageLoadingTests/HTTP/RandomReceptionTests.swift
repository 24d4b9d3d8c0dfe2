import ImageLoadingTesting
import Testing

@testable import ImageLoading

@Suite struct RandomReceptionTests {
    private static let statuses = [200, 206, 304, 404, 416, 503, -1, .max]
    private static let counts = [nil, 0, 1, 20_000, 60_000, -1, .max, .min]
    private static let fields = [
        "etag": ["\"v1\"", "W/\"v1\"", "\"v2\"", "v1"],
        "content-range": [
            "bytes 20000-49999/50000", "bytes 20000-49999/*", "bytes 20000-20000/20001",
            "bytes 20000-9223372036854775806/9223372036854775807", "bytes */1", "bytes 0-0/1", "x",
        ],
        "content-encoding": ["gzip", "identity"], "accept-ranges": ["none", "bytes"],
        "content-type": ["multipart/byteranges", "image/png"],
    ]

    @Test(arguments: [61, 62, 63, 64] as [UInt64])
    func `no order of heads and chunks traps or leaves a body that cannot be resumed`(seed: UInt64)
    {
        var generator = SeededGenerator(seed: seed)

        for _ in 0..<500 {
            let start = partial(&generator)
            var reception = Reception(partial: start)
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                step(&reception, start, &generator)
            }
            let left = reception.partial
            let isUsable = left.map { isPartial($0, of: start, reception) } ?? true
            #expect(isUsable, "seed \(seed)")
            #expect(holds(reception.outcome(nil), start, reception), "seed \(seed)")
        }
    }

    private func partial(_ generator: inout SeededGenerator) -> PartialBody? {
        guard Bool.random(using: &generator) else { return nil }
        return PartialBody(
            bytes: [UInt8](repeating: 1, count: 20_000),
            validator: "\"v1\"",
            totalByteCount: [nil, 50_000, .max].randomElement(using: &generator) ?? nil
        )
    }

    private func step(
        _ reception: inout Reception,
        _ start: PartialBody?,
        _ generator: inout SeededGenerator
    ) {
        if Int.random(in: 0..<3, using: &generator) == 0 {
            let request = TransferRequest(
                id: .unique(),
                url: "http://a/b",
                headers: start.map { ResumeRule.headers([], resuming: $0) } ?? [],
                maximumByteCount: [100, 64 << 20, .max].randomElement(using: &generator) ?? 0
            )
            reception.receive(head(&generator), of: request)
        } else {
            let count = Int.random(in: 0...20_000, using: &generator)
            reception.receive([UInt8](repeating: 2, count: count))
        }
    }

    private func head(_ generator: inout SeededGenerator) -> TransferHead {
        var headers: [String: String] = [:]
        for (name, values) in Self.fields.sorted(by: { $0.key < $1.key })
        where Int.random(in: 0..<4, using: &generator) > 0 {
            headers[name] = values.randomElement(using: &generator)
        }
        return TransferHead(
            status: Self.statuses.randomElement(using: &generator) ?? 0,
            expectedByteCount: Self.counts.randomElement(using: &generator) ?? nil,
            headers: headers
        )
    }

    /// Returns whether `left` is the initial partial body, or the received body with a strong tag.
    private func isPartial(
        _ left: PartialBody,
        of start: PartialBody?,
        _ reception: Reception
    ) -> Bool {
        guard left != start else { return true }
        return left.bytes == reception.body && EntityTag(left.validator)?.isWeak == false
            && left.bytes.count < left.totalByteCount ?? .max
            && PartialBody(bytes: left.bytes, metadata: left.metadata) == left
    }

    /// Returns whether an outcome is valid: only a reception with a partial body restarts, and a
    /// successful body consists of the received bytes.
    private func holds(
        _ outcome: ReceptionOutcome,
        _ start: PartialBody?,
        _ reception: Reception
    ) -> Bool {
        switch outcome {
        case .success(let body): body.bytes == reception.body && reception.refusal == nil
        case .failure: true
        case .restart: start != nil && reception.partial == nil
        }
    }
}
