import FeedHarness
import GalleryCore
import ImageLoading
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

@Suite struct FailureSummaryTests {
    private func failure(_ kind: String) -> FetchReport.Failure {
        FetchReport.Failure(stage: "download", kind: kind, retryable: false, message: "m")
    }

    @Test func `failures are counted by class and host, the most frequent first`() {
        var summary = FailureSummary()
        for number in 0..<1_200 {
            summary.count(failure("permanent"), of: "http://a.example:80/\(number)?x=://b")
        }
        for _ in 0..<7 { summary.count(failure("transient"), of: "https://b.example") }
        summary.count(failure("permanent"), of: "record at byte 5")

        #expect(
            summary.lines == [
                "1,200 failed: permanent, a.example:80", "7 failed: transient, b.example",
                "1 failed: permanent, no host",
            ]
        )
    }

    @Test
    func `a few failures need no summary, and a million hosts need no more memory than a thousand`()
    {
        var summary = FailureSummary()
        for number in 0..<10 { summary.count(failure("permanent"), of: "http://h\(number)/") }
        #expect(summary.lines.isEmpty)

        for number in 10..<100_000 { summary.count(failure("permanent"), of: "http://h\(number)/") }
        let lines = summary.lines

        #expect(lines.first == "99,000 failed: permanent, other hosts")
        #expect(lines.count == 11 && lines.last == "991 failed elsewhere")
    }

    @Test func `the JSON of a failure has the time of its end`() {
        let report = FetchReport(
            url: "u",
            result: .failure(.notFound),
            duration: .zero,
            at: 1_000_000_000
        )

        let line = String(decoding: report.jsonLine(), as: UTF8.self)

        #expect(line.contains(#""stage":"download","time":"2001-09-09T01:46:40Z"}"#))
    }
}
