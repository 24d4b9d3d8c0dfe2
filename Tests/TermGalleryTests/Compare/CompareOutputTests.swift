import Decoders
@testable import GalleryCore
import ImageLoading
@testable import TermGallery
import Testing

@Suite struct CompareOutputTests {
    /// Returns an image of one color, except for changed pixels at its start.
    private func image(_ side: Int, changed: Int = 0) -> PixelBuffer {
        let count = side * side
        let bytes = (0..<count).flatMap { index -> [UInt8] in
            index < changed ? [0, 0, 0, 255] : [200, 100, 50, 255]
        }
        return PixelBuffer(
            size: PixelSize(width: side, height: side),
            bytes: bytes,
            hasAlpha: false
        )
    }

    private func report(
        _ name: String,
        side: Int = 20,
        changed: Int,
        limit: Double? = nil
    ) -> CompareReport {
        let result = ImageComparison(image(side), image(side, changed: changed))
        let size = PixelSize(width: side, height: side)
        let outcome = CompareReport.Outcome.compared(result, size)
        return CompareReport(name: name, outcome: outcome, leastSimilarity: limit)
    }

    private func json(_ report: CompareReport) -> String {
        String(decoding: report.jsonLine(), as: UTF8.self)
    }

    @Test func `equal images have all figures in their line`() {
        #expect(
            json(report("a.png", changed: 0)) == """
                {"a":{"height":20,"width":20},"b":{"height":20,"width":20},"changed_pixels":0,\
                "changed_share":0.0,"delta_e_mean":0.0,"delta_e_p99":0.0,"name":"a.png","ssim":1.0,\
                "status":"equal"}
                """
        )
    }

    @Test func `a small image has no similarity and is never similar`() {
        let line = json(report("a.png", side: 10, changed: 1, limit: 0))
        #expect(line.contains(#""changed_pixels":1,"changed_share":0.01,"#))
        #expect(line.hasSuffix(#""name":"a.png","ssim":null,"status":"different"}"#))
    }

    @Test func `the limit accepts similar images only`() {
        let result = ImageComparison(image(20), image(20, changed: 100))
        let similarity = result.structuralSimilarity ?? 0
        #expect(similarity > 0 && similarity < 1)
        #expect(report("", changed: 100).status == .different)
        #expect(report("", changed: 100, limit: similarity).status == .similar)
        #expect(report("", changed: 100, limit: similarity + 0.001).status == .different)
        #expect(report("", changed: 0, limit: 1).status == .equal)
    }

    @Test func `sizes, missing images and failures have a status and no figures`() {
        let (small, large) = (PixelSize(width: 4, height: 3), PixelSize(width: 8, height: 6))
        let outcomes: [(CompareReport.Outcome, String)] = [
            (
                .sizeDiffers(small, large),
                #"{"a":{"height":3,"width":4},"b":{"height":6,"width":8},"name":"x","#
                    + #""status":"sizeDiffers"}"#
            ),
            (.onlyIn(.a), #"{"name":"x","status":"onlyInA"}"#),
            (.onlyIn(.b), #"{"name":"x","status":"onlyInB"}"#),
            (
                .failed(.cancelled, .b),
                #"{"error":{"class":"cancelled","message":"cancelled","side":"b","#
                    + #""stage":"request"},"name":"x","status":"failed"}"#
            ),
        ]
        for (outcome, line) in outcomes {
            let report = CompareReport(name: "x", outcome: outcome, leastSimilarity: 0)
            #expect(json(report) == line)
            #expect(!report.status.isAccepted)
        }
    }

    @Test func `the table has remarks first, then the largest difference first`() {
        let sizes = CompareReport.Outcome.sizeDiffers(
            PixelSize(width: 4, height: 3),
            PixelSize(width: 8, height: 6)
        )
        let reports = [
            report("little.png", changed: 100),
            report("much.png", changed: 390),
            report("tiny.png", side: 10, changed: 1),
            CompareReport(name: "s.png", outcome: sizes, leastSimilarity: nil),
            CompareReport(name: "new\u{1B}.png", outcome: .onlyIn(.b), leastSimilarity: nil),
        ]

        let lines = CompareTable(reports).lines

        #expect(lines.prefix(2) == ["s.png: 4×3 in A, 8×6 in B", "new\u{1B}.png: only in B"])
        #expect(lines[2] == "changed pixels    share  ΔE mean   ΔE p99     SSIM  name")
        #expect(lines[3].hasPrefix("           390   97.50%") && lines[3].hasSuffix("  much.png"))
        #expect(lines[4].hasPrefix("           100   25.00%") && lines[4].hasSuffix("  little.png"))
        #expect(lines[5].hasSuffix("        -  tiny.png"))
    }
}
