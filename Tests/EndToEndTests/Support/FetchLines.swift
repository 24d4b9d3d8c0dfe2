import FoundationEssentials
import Testing

/// A line of `fetch --jsonl`.
struct FetchLine: Decodable {
    struct Failure: Decodable {
        let stage: String
        let `class`: String
        let retryable: Bool
        let message: String
    }

    let url: String
    let status: String
    let source: String?
    let http: Int?
    let bytes: Int?
    let format: String?
    let width: Int?
    let height: Int?
    let ms: Int
    let stale: Bool?
    let complete: Bool?
    let reason: String?
    let error: Failure?
    let repeated: Bool?
    let key: String?
    let shard: String?
}

extension ProgramRun {
    /// The objects by URL; throws if a line is none, or a URL comes twice and does not say so.
    func reports() throws -> [String: FetchLine] {
        var reports: [String: FetchLine] = [:]
        for line in lines {
            let report = try JSONDecoder().decode(FetchLine.self, from: Data(line.utf8))
            guard report.repeated != true else { continue }
            try #require(reports.updateValue(report, forKey: report.url) == nil)
        }
        return reports
    }
}
