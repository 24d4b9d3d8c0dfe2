import ImageLoadingTesting

@testable import ImageLoading

/// A server that labels its responses truthfully, but behaves randomly otherwise: it changes its
/// body, ignores requested ranges, sends other ranges, and breaks off responses.
struct FickleServer {
    /// The kind of validator that identifies a version.
    private enum Naming: CaseIterable {
        case strongTag, weakTag, date, nothing
    }

    private var generator: SeededGenerator
    private let naming: Naming
    /// All versions of the body; the last version is current.
    private(set) var versions: [[UInt8]] = []

    /// Bytes without repetitions, from which versions are cut.
    private static let quarry: [UInt8] = {
        var generator = SeededGenerator(seed: 1)
        return (0..<80_000).map { _ in .random(in: .min ... .max, using: &generator) }
    }()

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        naming = Naming.allCases.randomElement(using: &generator) ?? .nothing
        change()
    }

    mutating func answer(to request: TransferRequest) -> RangeServer.Answer {
        if chance(of: 4) { change() }
        let body = versions.last ?? []
        let start = request.headers.first { $0.isNamed("Range") }
            .flatMap { Int($0.value.dropFirst("bytes=".count).dropLast()) }
        guard let start, start < body.count, obeys(request) else {
            return start == nil || chance(of: 2) ? whole(body) : refusal()
        }
        return part(of: body, from: start)
    }

    // MARK: Answers

    private mutating func part(of body: [UInt8], from start: Int) -> RangeServer.Answer {
        let first = chance(of: 4) ? Int.random(in: body.indices, using: &generator) : start
        let last =
            chance(of: 4)
            ? Int.random(in: first..<body.count, using: &generator) : body.count - 1
        let total = chance(of: 4) ? "*" : "\(body.count)"
        let head = TransferHead(
            status: 206,
            expectedByteCount: chance(of: 4) ? nil : last - first + 1,
            headers: names
        )
        return broken(
            head.with { $0["content-range"] = "bytes \(first)-\(last)/\(total)" },
            body[first...last]
        )
    }

    private mutating func whole(_ body: [UInt8]) -> RangeServer.Answer {
        let count = chance(of: 4) ? nil : body.count
        return broken(
            TransferHead(status: 200, expectedByteCount: count, headers: names),
            body[...]
        )
    }

    private func refusal() -> RangeServer.Answer {
        RangeServer.Answer(head: TransferHead(status: 416, expectedByteCount: 0), bytes: [])
    }

    /// Every other response is truncated, with an error.
    private mutating func broken(
        _ head: TransferHead,
        _ bytes: ArraySlice<UInt8>
    ) -> RangeServer.Answer {
        guard chance(of: 2) else { return RangeServer.Answer(head: head, bytes: bytes) }
        let count = Int.random(in: 0...bytes.count, using: &generator)
        let lost = ImageLoadingError.transfer(.connectionLost, "lost")
        return RangeServer.Answer(head: head, bytes: bytes.prefix(count), error: lost)
    }

    // MARK: Versions

    /// The validator of the current version; a strong one differs for each version, a weak one does
    /// not.
    private var names: [String: String] {
        switch naming {
        case .strongTag: ["etag": "\"\(versions.count)\""]
        case .weakTag: ["etag": "W/\"1\""]
        case .date:
            [
                "last-modified": HTTPDate(seconds: versions.count).text,
                "date": HTTPDate(seconds: 1000).text,
            ]
        case .nothing: [:]
        }
    }

    private mutating func change() {
        let count = chance(of: 2) ? 40_000 : Int.random(in: 17_000...40_000, using: &generator)
        let start = Int.random(in: 0..<(Self.quarry.count - count), using: &generator)
        versions.append(Array(Self.quarry[start..<(start + count)]))
    }

    /// Returns whether the server obeys the range; it may ignore If-Range, as long as it labels
    /// what it sends.
    private mutating func obeys(_ request: TransferRequest) -> Bool {
        guard !chance(of: 4) else { return false }
        let wanted = request.headers.first { $0.isNamed("If-Range") }?.value
        return chance(of: 3) || names.values.contains(wanted ?? "")
    }

    private mutating func chance(of count: Int) -> Bool {
        Int.random(in: 0..<count, using: &generator) == 0
    }
}
