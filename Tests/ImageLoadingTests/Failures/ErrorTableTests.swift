import Decoders
import Foundation
import Testing

@testable import ImageLoading

/// The table of Documentation/Errors.md against the code.
struct ErrorTableTests {
    /// One failure of one line.
    struct Line: CustomTestStringConvertible {
        let failure: String
        let stage: String
        let kind: String
        let attempts: String
        let remembered: String

        var testDescription: String { failure }
    }

    static let lines: [Line] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Documentation/Errors.md")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").flatMap { line -> [Line] in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 9, cells[1].hasPrefix("`") else { return [] }
            return failures(in: cells[1].trimmingCharacters(in: ["`"])).map { failure in
                Line(
                    failure: failure,
                    stage: cells[3],
                    kind: cells[4],
                    attempts: cells[5],
                    remembered: cells[6]
                )
            }
        }
    }()

    /// "curl 6, 7 offline" is "curl 6 offline" and "curl 7 offline"; "a`, `b" is "a" and "b".
    private static func failures(in cell: String) -> [String] {
        guard !cell.contains("`") else {
            return cell.components(separatedBy: "`, `")
        }
        let words = cell.replacingOccurrences(of: ",", with: "").split(separator: " ")
        let numbers = words.filter { Int($0) != nil }
        guard let first = words.first, !numbers.isEmpty else { return [cell] }
        let rest = words.dropFirst().filter { Int($0) == nil }
        return numbers.map { ([first, $0] + rest).joined(separator: " ") }
    }

    @Test func `the table was found, and names every reason`() {
        let failures = Set(Self.lines.map(\.failure))

        #expect(failures.isSuperset(of: Self.reasons.keys))
        #expect(failures.count > 50)
    }

    // M23, M24, F8
    @Test(arguments: lines)
    func `each line of the table of errors says what the code does`(line: Line) throws {
        let error = try #require(Self.error(line))

        #expect(error.stage.rawValue == line.stage)
        #expect(error.kind.rawValue == line.kind)
        #expect(RetryPolicy.attemptLimit(for: error) == Int(line.attempts))
        let rule = FailureRule(error, failureCount: 1)
        #expect(rule?.lifetime == Self.duration(line.remembered))
        #expect((rule != nil && rule?.lifetime == nil) == (line.remembered == "session"))
    }

    private static func duration(_ text: String) -> Duration? {
        let words = text.split(separator: " ")
        guard words.count == 2, let count = Int(words[0]) else { return nil }
        return .seconds(count * (["min": 60, "h": 3_600][words[1]] ?? 1))
    }

    private static func error(_ line: Line) -> ImageLoadingError? {
        let words = line.failure.split(separator: " ")
        if words.count > 1, let number = Int(words[1]) {
            return words[0] == "HTTP"
                ? .download(HTTPStatusRule.kind(of: number), .httpStatus(number))
                : CurlFailure.error(code: number, osError: words.count > 2 ? ENETUNREACH : 0)
        }
        guard let reason = reasons[line.failure],
            let stage = ImageLoadingError.Stage(rawValue: line.stage),
            let kind = ImageLoadingError.Class(rawValue: line.kind)
        else { return nil }
        return ImageLoadingError(stage: stage, kind: kind, reason: reason)
    }

    private static let reasons: [String: ImageLoadingError.Reason] = [
        "lengthMismatch": .lengthMismatch(received: 1, expected: 2),
        "rangeMismatch": .rangeMismatch, "emptyBody": .emptyBody, "tooLarge": .tooLarge(limit: 1),
        "decoding": .decoding(.empty),
        "tooManyPixels": .decoding(.tooManyPixels(PixelSize(width: 2, height: 1), limit: 1)),
        "sideTooLong": .decoding(.sideTooLong(PixelSize(width: 2, height: 1), limit: 1)),
        "tooManyScans": .decoding(.tooManyScans(limit: 1)),
        "tooMuchMetadata": .decoding(.tooMuchMetadata(byteCount: 2, limit: 1)),
        "tooMuchTime": .decoding(.tooMuchTime(.seconds(2), limit: .seconds(1))),
        "tooMuchMemory": .decoding(.tooMuchMemory(byteCount: 2, limit: 1)),
        "invalidURL": .invalidURL("x"), "forbiddenScheme": .forbiddenScheme("x"),
        "privateAddress": .privateAddress("x"), "downloadForbidden": .downloadForbidden,
        "outOfResources": .outOfResources("x"), "processing": .processing("x"),
        "hostUnavailable": .hostUnavailable(host: "x", seconds: 1),
        "unreadableFile": .unreadableFile("x"), "notCached": .notCached, "cancelled": .cancelled,
    ]
}
