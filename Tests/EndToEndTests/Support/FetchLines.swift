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
    let insecure: Bool?
    let error: Failure?
    let repeated: Bool?
    let key: String?
    let shard: String?
}

extension ProgramRun {
    /// Returns the objects by URL; throws for an invalid line, or for a repeated URL that is not
    /// marked as such.
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
