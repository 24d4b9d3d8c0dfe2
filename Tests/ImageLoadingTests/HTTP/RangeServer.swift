import Testing

@testable import ImageLoading

/// The ways in which a server may respond to a request for the rest of a body.
///
/// Each server has a body of 100,000 bytes, and breaks off its first response after 60,000.
enum RangeBehavior: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sendsTheRest = "206 with the rest"
    case ignoresRanges = "200 on a range"
    case hasAnotherVersion = "200 with another version, as If-Range asks"
    case startsElsewhere = "206 from another start"
    case endsEarly = "206 that ends before the body does"
    case hasAnotherTotal = "206 of another total"
    case hasAnotherTag = "206 of another version"
    case leavesTagOut = "206 without its tag"
    case hasWeakTag = "a weak tag only"
    case refusesRange = "416"
    case breaksOffAgain = "206 that breaks off, twice"
    case leavesContentRangeOut = "206 without Content-Range"
    case sendsMultipart = "206 as multipart/byteranges"
    case codesRange = "206 with content coding"
    case codesBody = "200 with content coding"
    case isBusy = "503 before the rest"

    var testDescription: String { rawValue }
}

/// A server as a pure function of the request and the number of previous requests.
struct RangeServer {
    static let first = version(1, byteCount: 100_000)
    static let second = version(2, byteCount: 90_000)

    let behavior: RangeBehavior

    struct Answer {
        var head: TransferHead
        var bytes: ArraySlice<UInt8>
        var error: ImageLoadingError?
    }

    /// The final body of a correct client.
    var finalBody: [UInt8] {
        switch behavior {
        case .hasAnotherVersion, .hasAnotherTotal, .hasAnotherTag: Self.second
        default: Self.first
        }
    }

    /// Returns the response; `attempt` is 0 for the first request.
    func answer(to request: TransferRequest, attempt: Int) -> Answer {
        let start = request.headers.first { $0.isNamed("Range") }
            .flatMap { Int($0.value.dropFirst("bytes=".count).dropLast()) }
        guard let start else {
            let isFirst = attempt == 0
            var answer = whole(isFirst ? Self.first : finalBody, tag: isFirst ? firstTag : "\"v2\"")
            if isFirst { cut(&answer, to: 60_000) }
            return answer
        }
        return answer(from: start, attempt: attempt)
    }

    private var firstTag: String { behavior == .hasWeakTag ? "W/\"v1\"" : "\"v1\"" }

    private func answer(from start: Int, attempt: Int) -> Answer {
        switch behavior {
        case .ignoresRanges: return whole(Self.first, tag: "\"v1\"")
        case .hasAnotherVersion: return whole(Self.second, tag: "\"v2\"")
        case .startsElsewhere: return part(start - 1, 99_999, of: 100_000)
        case .endsEarly: return part(start, 99_998, of: 100_000)
        case .hasAnotherTotal: return part(start, 89_999, of: 90_000)
        case .hasAnotherTag: return part(start, 99_999, of: 100_000) { $0["etag"] = "\"v2\"" }
        case .leavesTagOut: return part(start, 99_999, of: 100_000) { $0["etag"] = nil }
        case .leavesContentRangeOut:
            return part(start, 99_999, of: 100_000) { $0["content-range"] = nil }
        case .sendsMultipart:
            return part(start, 99_999, of: 100_000) {
                $0["content-type"] = "multipart/byteranges; boundary=x"
            }
        case .codesRange:
            return part(start, 99_999, of: 100_000) { $0["content-encoding"] = "gzip" }
        case .codesBody:
            var answer = whole(Self.second, tag: "\"v1\"")
            answer.head = answer.head.with { $0["content-encoding"] = "gzip" }
            return answer
        case .refusesRange: return empty(416) { $0["content-range"] = "bytes */100000" }
        case .isBusy where attempt == 1: return empty(503)
        case .breaksOffAgain where attempt < 3:
            var answer = part(start, 99_999, of: 100_000)
            cut(&answer, to: 15_000)
            return answer
        case .sendsTheRest, .hasWeakTag, .breaksOffAgain, .isBusy:
            return part(start, 99_999, of: 100_000)
        }
    }

    // MARK: Answers

    private func whole(_ body: [UInt8], tag: String) -> Answer {
        let head = TransferHead(
            status: 200,
            expectedByteCount: body.count,
            headers: ["etag": tag, "content-length": "\(body.count)"]
        )
        return Answer(head: head, bytes: body[...])
    }

    private func part(
        _ start: Int,
        _ end: Int,
        of total: Int,
        change: (inout [String: String]) -> Void = { _ in }
    ) -> Answer {
        let headers = ["etag": "\"v1\"", "content-range": "bytes \(start)-\(end)/\(total)"]
        let head = TransferHead(
            status: 206,
            expectedByteCount: end - start + 1,
            headers: headers
        )
        return Answer(head: head.with(change), bytes: Self.first[start..<max(start, end + 1)])
    }

    private func empty(
        _ status: Int,
        change: (inout [String: String]) -> Void = { _ in }
    ) -> Answer {
        let head = TransferHead(status: status, expectedByteCount: 0)
        return Answer(head: head.with(change), bytes: [])
    }

    private func cut(_ answer: inout Answer, to count: Int) {
        answer.bytes = answer.bytes.prefix(count)
        answer.error = .transfer(.connectionLost, "cut off")
    }

    private static func version(_ seed: UInt8, byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) &+ seed }
    }
}

extension TransferHead {
    /// Returns the same head with changed fields.
    func with(_ change: (inout [String: String]) -> Void) -> TransferHead {
        var headers = headers
        change(&headers)
        return TransferHead(
            status: status,
            expectedByteCount: expectedByteCount,
            headers: headers,
            httpVersion: httpVersion
        )
    }
}
