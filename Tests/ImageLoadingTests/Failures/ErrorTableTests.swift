import Decoders
import Foundation
import Testing

@testable import ImageLoading

/// The table in Documentation/Errors.md, compared with the code.
struct ErrorTableTests {
    /// One failure in a row of the table.
    struct Line: CustomTestStringConvertible {
        let failure: String
        let curlCodes: [Substring]
        let stage: String
        let kind: String
        let attempts: String
        let pause: String
        let remembered: String
        let scope: String

        var testDescription: String { failure }
    }

    static let lines: [Line] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Documentation/Errors.md")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").flatMap { line -> [Line] in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 12, cells[1].hasPrefix("`") else { return [] }
            return failures(in: cells[1].trimmingCharacters(in: ["`"])).map { failure in
                Line(
                    failure: failure,
                    curlCodes: cells[3].split { $0 == "," || $0 == " " },
                    stage: cells[4],
                    kind: cells[5],
                    attempts: cells[6],
                    pause: cells[7],
                    remembered: cells[8],
                    scope: cells[9]
                )
            }
        }
    }()

    /// "HTTP 206, 304" is "HTTP 206" and "HTTP 304"; "a`, `b" is "a" and "b".
    private static func failures(in cell: String) -> [String] {
        guard !cell.contains("`") else {
            return cell.components(separatedBy: "`, `")
        }
        let words = cell.replacingOccurrences(of: ",", with: "").split(separator: " ")
        guard words.first == "HTTP" else { return [cell] }
        return words.dropFirst().map { "HTTP \($0)" }
    }

    @Test func `the table is found, and names every reason`() {
        let failures = Set(Self.lines.map(\.failure))

        #expect(failures.isSuperset(of: Self.reasons.keys))
        #expect(failures.isSuperset(of: TransferFailure.Kind.allCases.map(\.rawValue)))
        #expect(failures.count > 50)
    }

    // M23, M24, F8
    @Test(arguments: lines)
    func `each line of the table of errors describes the code`(line: Line) throws {
        let errors = try Self.errors(line)
        try #require(!errors.isEmpty)

        for error in errors {
            let rule = FailureRule(error.reason)
            #expect(error.stage.rawValue == line.stage)
            #expect(rule.kind.rawValue == line.kind)
            #expect(error.kind.rawValue == line.kind)
            #expect(rule.attempts == Int(line.attempts))
            #expect((rule.pause == .onlyIfAsked) == (line.pause == "if asked"))
            #expect((rule.attempts > 1) == !line.pause.isEmpty)
            let isAsked = rule.pause == .random || error.retryAfter != nil
            #expect(FailureRule(error).attempts == (isAsked ? rule.attempts : 1))
            let lifetime = rule.lifetime(failureCount: 1, retryAfter: nil)
            #expect(lifetime == (line.remembered == "no" ? .zero : Self.duration(line.remembered)))
            #expect((rule.memory == .session) == (line.remembered == "session"))
            #expect((rule.memory == .none) == line.scope.isEmpty)
            #expect((rule.scope == .host) == (line.scope == "host"))
        }
    }

    // M23, M24, F8
    @Test(arguments: lines)
    func `each libcurl code in the table gives the failure of its row`(line: Line) throws {
        let isOffline = line.curlCodes.last == "offline"
        for code in line.curlCodes.compactMap({ Int($0) }) {
            let error = CurlFailure.error(code: code, osError: isOffline ? ENETUNREACH : 0)
            guard case .transport(let failure) = error.reason else {
                Issue.record("\(error) is not of the transport")
                continue
            }

            #expect(failure.kind.rawValue == line.failure)
            #expect(failure.curlCode == code)
        }
    }

    private static func duration(_ text: String) -> Duration? {
        let words = text.split(separator: " ")
        guard words.count == 2, let count = Int(words[0]) else { return nil }
        return .seconds(count * (["min": 60, "h": 3_600][words[1]] ?? 1))
    }

    /// Returns the failure of a row, as created by each part of the program that reports it.
    private static func errors(_ line: Line) throws -> [ImageLoadingError] {
        let words = line.failure.split(separator: " ")
        if words[0] == "HTTP", let status = Int(words[1]) {
            return [.download(.httpStatus(status))]
        }
        let transfer = TransferFailure.Kind(rawValue: line.failure).map {
            ImageLoadingError.transfer($0)
        }
        let stage = try #require(ImageLoadingError.Stage(rawValue: line.stage))
        let kind = try #require(ImageLoadingError.Class(rawValue: line.kind))
        let other = reasons[line.failure].map {
            ImageLoadingError(stage: stage, kind: kind, reason: $0)
        }
        return [transfer, other].compactMap(\.self)
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
        "decoderCrashed": .decoding(.decoderCrashed("SIGSEGV")),
        "isolationUnavailable": .decoding(.isolationUnavailable("")),
        "tooMuchMemory": .decoding(.tooMuchMemory(byteCount: 2, limit: 1)),
        "invalidURL": .invalidURL("x"), "forbiddenScheme": .forbiddenScheme("x"),
        "privateAddress": .privateAddress("x"), "downloadForbidden": .downloadForbidden,
        "robotsForbidden": .robotsForbidden("x"),
        "outOfResources": .outOfResources("x"), "processing": .processing("x"),
        "hostUnavailable": .hostUnavailable(host: "x", seconds: 1),
        "unreadableFile": .unreadableFile("x"), "dataSource": .dataSource("x"),
        "changedResource": .changedResource("x"),
        "notCached": .notCached, "cancelled": .cancelled,
    ]
}
